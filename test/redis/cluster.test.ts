import { Cluster } from 'ioredis';
import { createCluster } from 'redis';
import { Names } from '../../src/redis/names.js';
import { redisState, type RedisClient } from '../../src/redis/index.js';
import { needs } from '../support/needs.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';
import { createParty, tellRedis, untilShared, type Party } from '../support/sharing.js';
import { until } from '../test-server/exchange.js';

const slots = [
  ['0', '5460'],
  ['5461', '10922'],
  ['10923', '16383'],
] as const;

needs('redis-server')('a Redis Cluster', () => {
  let nodes: RedisServer[];
  const clients: { client: RedisClient; close: () => unknown }[] = [];
  const parties: Party[] = [];

  beforeAll(async () => {
    nodes = await Promise.all(slots.map(() => startRedisServer({ 'cluster-enabled': 'yes' })));
    const [first] = nodes.map(({ port }) => port);
    for (const [index, { port }] of nodes.entries()) {
      await tellRedis(port, 'CLUSTER', 'ADDSLOTSRANGE', ...(slots[index] ?? []));
      await tellRedis(port, 'CLUSTER', 'MEET', '127.0.0.1', String(first));
    }
    for (const { port } of nodes) {
      while (!String(await tellRedis(port, 'CLUSTER', 'INFO')).includes('cluster_state:ok'));
    }
  });
  afterEach(() => {
    for (const { breaker } of parties.splice(0)) breaker.detach();
    for (const { close } of clients.splice(0)) close();
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
  });
  expectQuietProcess();

  async function joinByNodeRedis(name: string, pollInterval: number): Promise<Party> {
    const client = createCluster({ rootNodes: nodes.map(({ url }) => ({ url })) });
    client.on('error', () => undefined);
    await client.connect();
    clients.push({ client, close: () => client.destroy() });
    return join(client, name, pollInterval);
  }

  async function joinByIoredis(name: string, pollInterval: number): Promise<Party> {
    const client = new Cluster(nodes.map(({ port }) => ({ host: '127.0.0.1', port })));
    client.on('error', () => undefined);
    clients.push({ client, close: () => client.disconnect() });
    return join(client, name, pollInterval);
  }

  async function join(client: RedisClient, name: string, pollInterval: number): Promise<Party> {
    const party = createParty({ name, shared: redisState(client, { pollInterval }) });
    parties.push(party);
    await untilShared(party);
    return party;
  }

  const joins = { 'node-redis': joinByNodeRedis, ioredis: joinByIoredis };
  const pairs = [
    ['node-redis', 'ioredis'],
    ['ioredis', 'node-redis'],
  ] as const;

  it('keeps all that belongs to a breaker in one slot, and breakers in several', async () => {
    const port = nodes[0]?.port ?? 0;
    const slotOf = (key: string) => tellRedis(port, 'CLUSTER', 'KEYSLOT', key);
    const slotsOf = async (breaker: string) => {
      const names = new Names('axios-circuit-guard', breaker);
      const keys = ['default', 'https://a.example', '{b}'].flatMap((key) =>
        names.keys(names.id(key)),
      );
      return new Set(await Promise.all(keys.map(slotOf)));
    };
    const [orders, stock] = [await slotsOf('orders'), await slotsOf('stock')];
    expect(orders.size).toBe(1);
    expect(stock.size).toBe(1);
    expect(orders).not.toEqual(stock);
  });

  it.each(pairs)('brings what %s tells to %s at once', async (from, to) => {
    // Names that lie on each of the nodes.
    for (const name of ['orders', 'stock', 'mail', 'search', 'login']) {
      const one = await joins[from](name, 60_000);
      const other = await joins[to](name, 60_000);
      await one.limit(60);
      await until(() => other.told.length > 0, 20_000);
      expect(other.told).toEqual(['OPEN shared']);
    }
  });

  it.each(pairs)('opens all once %s and %s have opened', async (first, second) => {
    const name = `quorum ${first}`;
    const members = [
      await joins[first](name, 1_000),
      await joins[second](name, 1_000),
      await joins[first](name, 1_000),
    ] as const;
    for (const { answers, get } of members.slice(0, 2)) {
      answers.push(...Array.from({ length: 5 }, () => ({ status: 503 })));
      for (let request = 0; request < 5; request += 1) await get();
    }
    await until(() => members[2].told.length > 0, 20_000);
    expect(members[2].told[0]).toBe('OPEN shared');
  });
});
