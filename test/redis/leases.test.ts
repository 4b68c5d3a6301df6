import { Calls } from '../../src/redis/calls.js';
import { Leases } from '../../src/redis/leases.js';
import { Names } from '../../src/redis/names.js';
import { FakeMember, FakeRedis, settled } from './fake-redis.js';

const names = new Names('guard', 'orders');
const id = names.id('default');

async function setUp() {
  const redis = new FakeRedis();
  const member = new FakeMember();
  const calls = new Calls(redis, names, {
    node: 'me',
    clock: member.clock,
    onAnswer: () => undefined,
  });
  await calls.ask('poll', undefined);
  const leases = new Leases(member, names, calls, 3_000);
  redis.asked.length = 0;
  /** Asks, and gets that answer. */
  const ask = (reply: Parameters<FakeRedis['last']['answer']>[0]) => {
    redis.reply = ({ operation }) => (operation === 'lease' ? reply : {});
    return leases.ask('default', 1_000);
  };
  const advance = async (ms: number) => {
    member.clock.advance(ms);
    await settled();
  };
  return { redis, member, calls, leases, ask, advance };
}

describe('the right to probe', () => {
  it('is asked for under a token of its own, for longer than the probe may take', async () => {
    const { redis, member, leases, ask } = await setUp();
    member.maxProbes = 2;
    await ask({ granted: true });
    await leases.ask('default', 100);
    const [first, second] = redis.of('lease').map(({ args }) => args);
    expect(first).toEqual([id, expect.any(String), '1250', '2']);
    expect(second?.[2]).toBe('300');
    expect(second?.[1]).not.toBe(first?.[1]);
  });

  it('is asked for a month at most', async () => {
    const { redis, leases } = await setUp();
    await leases.ask('default', Infinity);
    expect(redis.last.args[2]).toBe(String(30 * 86_400_000));
  });

  it.each([
    ['closed', undefined, true, ['passed', '0', 'probe', '0']],
    [
      'open',
      { waitMs: 600, recovery: 'probe', row: 2 } as const,
      true,
      ['failed', '600', 'probe', '2'],
    ],
    [
      'open',
      { waitMs: Infinity, recovery: 'probe', row: 2 } as const,
      true,
      ['failed', '2592000000', 'probe', '2'],
    ],
    ['half-open', undefined, true, ['none', '0', 'probe', '0']],
    ['closed', undefined, false, ['none', '0', 'probe', '0']],
  ] as const)(
    'ends with what came of it: %s, %j, counting %s',
    async (state, opening, counts, told) => {
      const { redis, member, ask } = await setUp();
      const lease = await ask({ granted: true, leaseEpoch: 7 });
      member.states.set('default', state);
      if (opening) member.openings.set('default', { reason: 'probe-failed', ...opening });
      if (typeof lease === 'object') lease.end(counts);
      const token = redis.of('lease')[0]?.args[1];
      expect(redis.of('finish').map(({ args }) => args)).toEqual([[id, token, '7', ...told]]);
    },
  );

  it('rejects nothing where its end cannot be told', async () => {
    const { redis, ask } = await setUp();
    const lease = await ask({ granted: true });
    redis.reply = () => undefined;
    if (typeof lease === 'object') lease.end(true);
    await redis.last.fail();
    expect(redis.last.operation).toBe('finish');
  });

  it('is unknown after 100 ms, and given back at once, behind what was asked', async () => {
    const { redis, member, leases, advance } = await setUp();
    redis.reply = () => undefined;
    const asked = leases.ask('default', 1_000);
    await advance(99);
    expect(redis.of('finish')).toEqual([]);
    await advance(1);
    await expect(asked).resolves.toBe('unknown');
    const [lease, finish] = redis.asked;
    expect(finish).toMatchObject({ operation: 'finish' });
    expect(finish?.args.slice(0, 4)).toEqual([id, lease?.args[1], '0', 'none']);
    await lease?.answer({ granted: true });
    await finish?.answer();
    expect(member.clock.pending).toBe(0);
  });

  it.each([
    ['what is asked is of another incarnation', { status: 'stale' }],
    ['the answer is none', { now: -1 }],
  ] as const)('is unknown where %s', async (_case, reply) => {
    const { ask } = await setUp();
    await expect(ask(reply)).resolves.toBe('unknown');
  });

  it('is unknown, without asking, while Redis is in trouble', async () => {
    const { redis, calls, leases } = await setUp();
    redis.reply = () => undefined;
    for (let failure = 1; failure <= 3; failure += 1) {
      const asked = calls.ask('poll', undefined).catch(() => undefined);
      await redis.last.fail();
      await asked;
    }
    redis.asked.length = 0;
    await expect(leases.ask('default', 1_000)).resolves.toBe('unknown');
    expect(redis.asked).toEqual([]);
  });
});

describe('the right to probe that another process has', () => {
  it('is not asked for again before its end, which wakes those that wait', async () => {
    const { redis, member, leases, ask, advance } = await setUp();
    await expect(ask({ granted: false, waitMs: 500 })).resolves.toBe('denied');
    await advance(499);
    await expect(leases.ask('default', 1_000)).resolves.toBe('denied');
    expect(redis.of('lease')).toHaveLength(1);
    expect(member.wake).not.toHaveBeenCalled();
    await advance(1);
    expect(member.wake.mock.calls).toEqual([['default']]);
    await leases.ask('default', 1_000);
    expect(redis.of('lease')).toHaveLength(2);
  });

  it('is asked for again when it was freed, and only then', async () => {
    const { member, leases, ask } = await setUp();
    await ask({ granted: false, waitMs: 500 });
    leases.free(names.id('other'));
    expect(member.wake).not.toHaveBeenCalled();
    leases.free(id);
    expect(member.wake.mock.calls).toEqual([['default']]);
    expect(member.clock.pending).toBe(0);
    leases.free();
    expect(member.wake).toHaveBeenCalledTimes(1);
  });

  it('is believed in for three polls at most: Redis may be gone since', async () => {
    const { member, ask, advance } = await setUp();
    await ask({ granted: false, waitMs: 86_400_000 });
    await advance(3_000);
    expect(member.wake).toHaveBeenCalledTimes(1);
  });

  it('is not denied for longer than others may stop this process, and a probe may take', async () => {
    const { redis, member, leases, ask, advance } = await setUp();
    const denied = { granted: false, waitMs: Number.MAX_SAFE_INTEGER };
    await expect(ask(denied)).resolves.toBe('denied');
    await advance(member.maxWait + 1_249);
    await expect(ask(denied)).resolves.toBe('denied');
    await advance(1);
    redis.asked.length = 0;
    await expect(ask(denied)).resolves.toBe('unknown');
    expect(redis.asked).toEqual([]);
    leases.renew('default');
    await expect(ask(denied)).resolves.toBe('denied');
  });

  it('is denied anew once it was granted', async () => {
    const { member, ask, advance } = await setUp();
    const denied = { granted: false, waitMs: 10 };
    await ask(denied);
    await advance(member.maxWait);
    await ask({ granted: true });
    await ask(denied);
    await advance(member.maxWait);
    await expect(ask(denied)).resolves.toBe('denied');
  });

  it('has one timer, however many asked at once', async () => {
    const { redis, member, leases, advance } = await setUp();
    redis.reply = () => ({ granted: false, waitMs: 500 });
    await Promise.all([leases.ask('default', 1_000), leases.ask('default', 1_000)]);
    expect(member.clock.pending).toBe(1);
    await advance(500);
    expect(member.wake).toHaveBeenCalledTimes(1);
  });

  it('leaves no timer behind, also where it is heard of after leaving', async () => {
    const { redis, member, leases, ask } = await setUp();
    await ask({ granted: false, waitMs: 500 });
    redis.reply = () => undefined;
    const asked = leases.ask('other', 1_000);
    leases.leave();
    await redis.last.answer({ granted: false, waitMs: 500 });
    await asked;
    expect(member.clock.pending).toBe(0);
  });
});
