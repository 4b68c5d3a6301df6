import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { createClient } from 'redis';
import { source } from '../../src/redis/script.js';
import { needs } from '../support/needs.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';
import { asking } from './script-asking.js';
import { memory, type Operation } from './script-model.js';
import { expectFair, Race, type RacingStep } from './script-race.js';
import { Schedule, type Step } from './script-schedule.js';
import { ScriptTable } from './script-table.js';

/** The nightly length is 2_000. */
const numRuns = Number(process.env['SCRIPT_RUNS'] ?? 25);

type Client = ReturnType<typeof createClient>;

const racing: fc.Arbitrary<RacingStep> = fc.record({
  ask: asking,
  node: fc.nat({ max: 4 }),
  delay: fc.integer({ min: 0, max: 8 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      ask: asking,
      node: fc.constantFrom('1', '2', '3', '4', '5'),
      lateness: fc.oneof(
        { weight: 10, arbitrary: fc.constant('in time' as const) },
        fc.constantFrom('of another incarnation' as const, 'after its deadline' as const),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('age' as const),
      circuit: fc.constantFrom('a', 'b', '*'),
      ms: fc.integer({ min: memory - 20, max: memory + 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
);

/** Longer than any race. */
const outage = {
  ms: 1_000,
  recovery: 'probe',
  row: 1,
  quorum: 0.5,
  voteFor: 10_000,
  liveFor: 3_000,
} as const;

needs('redis-server')('the script in Redis', () => {
  let server: RedisServer;
  let clients: Client[];
  let client: Client;
  beforeAll(async () => {
    server = await startRedisServer();
    clients = Array.from({ length: 5 }, () => createClient({ url: server.url }));
    [client] = clients as [Client];
    for (const client of clients) await client.connect();
    await client.scriptLoad(source);
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    await server.stop();
  });

  it(
    'does what the model does, whatever nodes ask and however late',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
          const schedule = new Schedule(client);
          for (const next of steps) await schedule.run(next);
        }),
        { numRuns },
      );
    },
    60_000 + numRuns * 1_000,
  );

  it(
    'keeps its word to nodes that ask at once, in whatever order they arrive',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(racing, { maxLength: 60, size: 'max' }), async (steps) => {
          const race = new Race(clients);
          await Promise.all(steps.map((next) => race.run(next)));
          expectFair(race);
        }),
        { numRuns },
      );
    },
    60_000 + numRuns * 1_000,
  );

  describe('with one who asks', () => {
    let table: ScriptTable;
    const ask = (operation: Operation, node = '1') => table.call(client, operation, node);
    const vote = (node: string) => ask({ do: 'vote', circuit: 'a', ...outage }, node);
    const poll = (node: string, liveFor = 3_000) => ask({ do: 'poll', liveFor }, node);
    beforeEach(async () => {
      table = new ScriptTable();
      await poll('1');
    });

    it('keeps at most 1000 circuits, and changes those that it has', async () => {
      const rest = (circuit: string, ms: number) =>
        ask({ do: 'rest', circuit, ms, recovery: 'clock', row: 1 });
      for (let index = 1; index <= 1_000; index += 1) await rest(`${index}`, 60_000);
      expect((await rest('1001', 60_000)).circuits).toEqual([]);
      expect((await poll('1')).circuits).toHaveLength(1_000);
      expect((await rest('1', 90_000)).circuits).toMatchObject([{ id: '1', epoch: 1_001 }]);
    });

    it('keeps at most 1000 commands, and takes one for all nevertheless', async () => {
      const open = (circuit: string) => ask({ do: 'fleet', circuit, command: 'open' });
      for (let index = 1; index <= 1_000; index += 1) await open(`${index}`);
      expect(await open('1001')).toMatchObject({ status: 'full', fleet: [] });
      expect(await open('1')).toMatchObject({ status: 'ok' });
      expect(await open('*')).toMatchObject({ status: 'ok' });
      expect((await poll('1')).fleet).toMatchObject([{ id: '*', command: 'open' }]);
    });

    it('counts one vote of each node, however often it votes', async () => {
      expect((await vote('1')).circuits).toEqual([]);
      expect((await vote('1')).circuits).toEqual([]);
      expect((await vote('2')).circuits).toMatchObject([{ state: 'open' }]);
    });

    it('leaves an opening as it is while it lasts, however many vote', async () => {
      await vote('1');
      const { circuits } = await vote('2');
      expect((await vote('3')).circuits).toMatchObject([{ epoch: circuits[0]?.epoch }]);
    });

    it('changes nothing by the end of a probe of an older opening', async () => {
      const briefly = { circuit: 'a', ...outage, ms: 1 };
      await ask({ do: 'vote', ...briefly }, '1');
      await ask({ do: 'vote', ...briefly }, '2');
      await sleep(5);
      const lease = { do: 'lease', circuit: 'a', token: 'token', ms: 500, budget: 1 } as const;
      const { leaseEpoch: epoch } = await ask(lease);
      expect(epoch).toBeGreaterThan(0);
      const resting = { circuit: 'a', ms: 1_000, recovery: 'clock', row: 1 } as const;
      await ask({ do: 'rest', ...resting });
      const finish = { do: 'finish', token: 'token', epoch, outcome: 'passed' } as const;
      const { circuits } = await ask({ ...finish, ...resting });
      expect(circuits).toMatchObject([{ state: 'open', epoch: epoch + 1 }]);
    });

    it('counts no vote of a node that is gone', async () => {
      await vote('1');
      await ask({ do: 'leave' }, '1');
      expect((await vote('2')).circuits).toEqual([]);
    });

    it('does not count those that have no vote as live', async () => {
      for (const node of ['5', '6', '7', '8']) await poll(node, 0);
      await vote('1');
      expect((await vote('2')).circuits).toMatchObject([{ state: 'open' }]);
    });

    it('counts those that have not asked for long as live no more', async () => {
      for (const node of ['5', '6', '7', '8']) await poll(node, 1);
      await sleep(5);
      await vote('1');
      expect((await vote('2')).circuits).toMatchObject([{ state: 'open' }]);
    });

    it('begins a new count of votes after a probe that passed', async () => {
      const briefly = { do: 'vote', circuit: 'a', ...outage, ms: 1 } as const;
      for (const node of ['1', '2']) await ask(briefly, node);
      await sleep(5);
      const lease = { do: 'lease', circuit: 'a', token: 'token', ms: 500, budget: 1 } as const;
      const { leaseEpoch: epoch } = await ask(lease);
      const end = { outcome: 'passed', epoch, token: 'token' };
      const { circuits } = await ask({ ...briefly, ...end, do: 'finish' });
      expect(circuits).toMatchObject([{ state: 'closed', epoch: epoch + 1 }]);
      const later = await ask(briefly, '3');
      expect(later.circuits).toMatchObject([{ state: 'closed', epoch: epoch + 1 }]);
      expect(await ask(lease)).toMatchObject({ granted: true, leaseEpoch: 0 });
    });

    it('counts no vote from before a command of the fleet for its circuit', async () => {
      await vote('1');
      await ask({ do: 'fleet', circuit: 'a', command: 'close' });
      expect((await vote('2')).circuits).toEqual([]);
    });

    it('lets a circuit that was closed in spite of a command for all be so for new nodes', async () => {
      await ask({ do: 'fleet', circuit: '*', command: 'open' });
      await ask({ do: 'fleet', circuit: 'a', command: 'close' });
      await table.age(client, 'a', memory + 1);
      expect((await poll('2')).fleet).toHaveLength(2);
      await ask({ do: 'fleet', circuit: '*', command: 'close' });
      await table.age(client, '*', memory + 1);
      expect((await poll('2')).fleet).toEqual([]);
    });

    it('passes over what others have written in its place', async () => {
      await table.write(client, 'a', 'something else');
      expect(await poll('1')).toMatchObject({ status: 'ok', circuits: [], fleet: [] });
      const rest = await ask({ do: 'rest', circuit: 'a', ms: 50, recovery: 'clock', row: 1 });
      expect(rest.circuits).toMatchObject([{ id: 'a', state: 'open' }]);
    });
  });
});
