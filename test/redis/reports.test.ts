import { Names } from '../../src/redis/names.js';
import { settled } from './fake-redis.js';
import { operations, takeSeat as setUp } from './take-seat.js';

const names = new Names('guard', 'orders');
const id = names.id('default');
const rateLimit = { reason: 'rate-limit', recovery: 'clock', row: 0 } as const;

describe('what a process tells', () => {
  it('is a rate limit at once, which is everybody’s', async () => {
    const { redis, member } = await setUp();
    member.open('default', { ...rateLimit, waitMs: 5_000 });
    expect(redis.asked).toMatchObject([
      { operation: 'rest', args: [id, '5000', 'clock', '0'], keys: names.keys(id) },
    ]);
  });

  it('is also what a late answer states, as many as come meanwhile together', async () => {
    const { redis, member } = await setUp();
    redis.reply = () => undefined;
    member.open('default', { ...rateLimit, waitMs: 5_000 });
    for (const waitMs of [6_000, 7_000]) {
      member.openings.set('default', { ...rateLimit, waitMs });
      member.failLate('default');
    }
    await redis.last.answer();
    expect(redis.of('rest').map(({ args }) => args[1])).toEqual(['5000', '7000']);
  });

  it('is nothing of a late failure that states no time', async () => {
    const { redis, member } = await setUp();
    member.openings.set('default', { reason: 'consecutive', waitMs: 9, recovery: 'probe', row: 1 });
    member.failLate('default');
    member.openings.clear();
    member.failLate('default');
    expect(redis.asked).toEqual([]);
  });

  it('is its vote for an outage, and that it takes it back', async () => {
    const { redis, member } = await setUp();
    member.open('default', { waitMs: 300 });
    member.close('default');
    member.close('default');
    expect(redis.asked).toMatchObject([
      { operation: 'vote', args: [id, '300', 'probe', '1', '0.5', '10300', '3000'] },
      { operation: 'unvote', args: [id] },
    ]);
  });

  it('is an opening of a month at most', async () => {
    const { redis, member } = await setUp();
    member.open('default', { waitMs: Infinity });
    expect(redis.last.args[1]).toBe(String(30 * 86_400_000));
  });

  it('is not what it has from others, or was told by a command', async () => {
    const { redis, member } = await setUp();
    member.open('default');
    member.close('default');
    expect(redis.asked).toEqual([]);
  });

  it('is nothing where it only observes, and it does not count as live', async () => {
    const { redis, member } = await setUp({ observes: true });
    member.open('default', {});
    member.close('default');
    expect(redis.asked).toEqual([]);
    redis.publish(id);
    expect(redis.asked).toMatchObject([{ operation: 'poll', args: ['0'] }]);
  });

  it('is told once it has heard from Redis, which closes nothing that opened before', async () => {
    const { redis, member } = await setUp({ isAnswered: false });
    redis.reply = ({ operation }) =>
      operation === 'poll' ? { fleet: [['*', 'close', 1]] } : { status: 'stale' };
    member.open('default', { ...rateLimit, waitMs: 5_000 });
    await settled();
    await redis.asked[0]?.answer({ fleet: [['*', 'close', 1]] });
    expect(operations(redis)).toEqual(['poll', 'rest']);
    expect(member.command).not.toHaveBeenCalled();
  });

  it('is told again after trouble, once a poll is answered', async () => {
    const { redis, member, advance, hang, answers } = await setUp();
    hang();
    member.open('default', {});
    member.states.set('limited', 'open');
    member.openings.set('limited', { ...rateLimit, waitMs: 9_000 });
    await redis.last.fail();
    answers();
    redis.asked.length = 0;
    await advance(1_100);
    expect(operations(redis)).toEqual(['poll', 'vote', 'rest']);
    await advance(1_100);
    expect(operations(redis)).toEqual(['poll', 'vote', 'rest', 'poll']);
  });

  it('is told again where Redis has lost it', async () => {
    const { redis, member } = await setUp();
    member.open('default', {});
    redis.asked.length = 0;
    redis.usual = { ...redis.usual, incarnation: 'second' };
    redis.publish(id);
    await settled();
    expect(operations(redis)).toEqual(['poll', 'vote']);
  });

  it('is told again where it came too late', async () => {
    const { redis, member, answers } = await setUp();
    redis.reply = () => ({ status: 'stale' });
    member.open('default', {});
    await settled();
    answers();
    redis.publish(id);
    await settled();
    expect(operations(redis)).toEqual(['vote', 'poll', 'vote']);
  });

  it('is no vote any more, also where Redis did not hear that at first', async () => {
    const { redis, member, hang, answers } = await setUp();
    member.open('default', {});
    hang();
    member.close('default');
    await redis.last.fail();
    answers();
    redis.asked.length = 0;
    redis.publish(id);
    await settled();
    expect(operations(redis)).toEqual(['poll', 'unvote']);
  });

  it('is of a thousand circuits told of some at a time, each as it is by then', async () => {
    const { redis, member, hang } = await setUp();
    hang();
    for (let index = 1; index <= 1_000; index += 1) member.open(`${index}`, {});
    expect(redis.asked).toHaveLength(16);
    // Those that wait are told of once, or not at all.
    member.open('1000', { ...rateLimit, waitMs: 5_000 });
    for (let index = 20; index <= 999; index += 1) member.close(`${index}`);
    redis.reply = () => ({});
    await redis.last.answer();
    for (let turn = 1; turn <= 5; turn += 1) await settled();
    expect(operations(redis)).toEqual([...Array<string>(19).fill('vote'), 'rest']);
  });
});
