import { createClient } from 'redis';
import { redisState } from '../../src/redis/index.js';
import { kinds, type UserClient } from '../support/redis-clients.js';
import { needs } from '../support/needs.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { createParty, setStage, untilShared, type Party, type Stage } from '../support/sharing.js';
import { until } from '../test-server/exchange.js';

/** Only what Redis publishes brings news before the test is over. */
const byHints = { pollInterval: 60_000 };

needs('redis-server')('what Redis publishes', () => {
  let stage: Stage;
  beforeEach(async () => void (stage = await setStage()));
  afterEach(() => stage.stop());
  expectQuietProcess();

  const expectTold = async ({ told }: Party, transition: string) => {
    await until(() => told.includes(transition), 20_000);
    expect(told).toEqual([transition]);
  };
  const channels = async () => ((await stage.admin('PUBSUB', 'CHANNELS')) as string[]).length;
  const connections = async () => {
    const list = String(await stage.admin('CLIENT', 'LIST', 'TYPE', 'normal'));
    const listening = String(await stage.admin('CLIENT', 'LIST', 'TYPE', 'pubsub'));
    // One of them asks.
    return `${list}${listening}`.trim().split('\n').length - 1;
  };
  const expectEventually = async (what: () => Promise<unknown>, value: unknown) => {
    const giveUpAt = performance.now() + 10_000;
    while ((await what()) !== value && performance.now() < giveUpAt);
    expect(await what()).toBe(value);
  };

  describe.each(kinds)('to a client of %s', (kind) => {
    async function connect(): Promise<UserClient> {
      const user = stage.createClient(kind);
      user.connect();
      await until(user.isReady, 10_000);
      return user;
    }

    /** Two who can hear each other. */
    async function pair(): Promise<{ one: Party; other: Party; users: UserClient[] }> {
      const users = [await connect(), await connect()] as const;
      const one = stage.join(users[0].client, byHints);
      const other = stage.join(users[1].client, byHints);
      await expectEventually(listening, 2);
      return { one, other, users: [...users] };
    }
    const listening = async () => {
      const reply = (await stage.admin('PUBSUB', 'CHANNELS')) as string[];
      const [, count] = (await stage.admin('PUBSUB', 'NUMSUB', ...reply)) as [string, number];
      return count;
    };

    it('is heard at once', async () => {
      const { one, other } = await pair();
      await one.limit(60);
      await expectTold(other, 'OPEN shared');
    });

    it('is heard again after Redis was gone', async () => {
      const { one, other, users } = await pair();
      await stage.server.stop();
      await stage.server.start();
      await until(() => users.every((user) => user.isReady()), 20_000);
      await expectEventually(listening, 2);
      await one.breaker.fleet.open();
      await expectTold(other, 'OPEN manual');
    });

    it('is heard again after the network was gone, with what was missed', async () => {
      const { one, other } = await pair();
      stage.proxy.shut();
      await openFleet();
      expect([...one.told, ...other.told]).toEqual([]);
      stage.proxy.open();
      await expectTold(other, 'OPEN manual');
      await expectTold(one, 'OPEN manual');
    });

    it('is heard again after the connection that listens was broken alone', async () => {
      const { one, other } = await pair();
      await stage.admin('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await expectEventually(listening, 2);
      await one.limit(60);
      await expectTold(other, 'OPEN shared');
    });

    it('is heard where the client connects only after the breaker was made', async () => {
      const user = stage.createClient(kind);
      const late = stage.join(user.client, byHints);
      const early = stage.join((await connect()).client, byHints);
      user.connect();
      await expectEventually(listening, 2);
      await early.limit(60);
      await expectTold(late, 'OPEN shared');
    });

    it('is heard where Redis can be reached only after the breaker was made', async () => {
      stage.proxy.shut();
      const user = stage.createClient(kind);
      user.connect();
      const late = stage.join(user.client, byHints);
      stage.proxy.open();
      const early = stage.join((await connect()).client, byHints);
      await expectEventually(listening, 2);
      await early.limit(60);
      await expectTold(late, 'OPEN shared');
    });

    it('takes one connection, however many breakers listen', async () => {
      const user = await connect();
      const before = user.listeners();
      const parties = Array.from({ length: 20 }, (_, index) =>
        stage.join(user.client, { name: `api ${index}` }),
      );
      await expectEventually(channels, 20);
      expect(await connections()).toBe(2);
      for (const { breaker } of parties) breaker.detach();
      await expectEventually(connections, 1);
      expect(user.listeners()).toBe(before);
    });

    it('is heard by the other breaker of the same name when one is detached', async () => {
      const user = await connect();
      const [left, stays] = [stage.join(user.client, byHints), stage.join(user.client, byHints)];
      const other = stage.join((await connect()).client, byHints);
      await expectEventually(listening, 2);
      left.breaker.detach();
      await other.limit(60);
      await expectTold(stays, 'OPEN shared');
      expect(left.told).toEqual([]);
    });

    it('is done without where it is forbidden to publish and to listen', async () => {
      await stage.admin('ACL', 'SETUSER', 'default', 'resetchannels', '-subscribe');
      const one = stage.join((await connect()).client);
      const other = stage.join((await connect()).client);
      await untilShared(one);
      await one.limit(60);
      await expectTold(other, 'OPEN shared');
      expect([...one.faults, ...other.faults]).toEqual([]);
    });

    it('is listened to no longer once the client is closed', async () => {
      const { one, users } = await pair();
      users[0]?.close();
      users[1]?.close();
      await expectEventually(connections, 0);
      await one.limit(60);
      expect(one.told).toEqual(['OPEN rate-limit']);
    });

    it('leaves nothing behind once its breaker is detached', async () => {
      const { one, other } = await pair();
      one.breaker.detach();
      other.breaker.detach();
      await expectEventually(channels, 0);
      await expectEventually(connections, 2);
      await expectEventually(async () => {
        const [nodes] = (await stage.admin('KEYS', '*:nodes')) as [string?];
        return nodes ? stage.admin('ZCARD', nodes) : 0;
      }, 0);
    });
  });

  /** Past the network. */
  async function openFleet(): Promise<void> {
    const client = await createClient({ url: stage.server.url }).connect();
    const party = createParty({ name: 'orders', shared: redisState(client) });
    await party.breaker.fleet.open();
    party.breaker.detach();
    client.destroy();
  }
});
