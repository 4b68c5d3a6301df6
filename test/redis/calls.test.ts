import type { Answer } from '../../src/redis/answer.js';
import { Calls } from '../../src/redis/calls.js';
import { Names } from '../../src/redis/names.js';
import { outcome } from '../support/rig.js';
import { WatchedClock } from '../support/watched-clock.js';
import { FakeRedis, settled } from './fake-redis.js';

function setUp() {
  const redis = new FakeRedis();
  const clock = new WatchedClock();
  const names = new Names('guard', 'orders');
  const heard: Answer[] = [];
  const onAnswer = (answer: Answer) => heard.push(answer);
  const calls = new Calls(redis, names, { node: 'me', clock, onAnswer });
  const fail = async () => {
    redis.reply = () => undefined;
    const asked = outcome(calls.ask('poll', undefined));
    await redis.last.fail();
    return (await asked).error;
  };
  const advance = async (ms: number) => {
    clock.advance(ms);
    await settled();
  };
  return { redis, clock, names, heard, calls, fail, advance };
}

describe('a call to Redis', () => {
  it('names its operation, the channel, the node and the circuit, and gives all as text', async () => {
    const { redis, calls, names } = setUp();
    await calls.ask('rest', 'id', 250.5, 'clock', 1);
    expect(redis.last).toMatchObject({ operation: 'rest', node: 'me', incarnation: '' });
    expect(redis.last.args).toEqual(['id', '250.5', 'clock', '1']);
    expect(redis.last.keys).toEqual(names.keys('id'));
    await calls.ask('poll', undefined, 3_000);
    expect(redis.last.args).toEqual(['3000']);
    expect(redis.last.keys).toEqual(names.keys());
  });

  it('says when it is too late, by the clock of Redis, and which incarnation it knows', async () => {
    const { redis, calls, advance } = setUp();
    expect(calls.knowsTime).toBe(false);
    await calls.ask('poll', undefined);
    expect(redis.last).toMatchObject({ incarnation: '', deadline: '' });
    expect(calls.knowsTime).toBe(true);
    await advance(250);
    await calls.ask('poll', undefined);
    expect(redis.last).toMatchObject({ incarnation: 'first', deadline: '1001250' });
  });

  it('tells its answer before whoever asked', async () => {
    const { calls, heard } = setUp();
    const seen: number[] = [];
    await calls.ask('poll', undefined).then(() => seen.push(heard.length));
    expect(seen).toEqual([1]);
  });

  it('may take 500 ms, and what comes later is not heard', async () => {
    const { redis, calls, heard, advance, clock } = setUp();
    redis.reply = () => undefined;
    const asked = outcome(calls.ask('poll', undefined));
    await advance(499);
    expect(clock.pending).toBe(1);
    await advance(1);
    expect((await asked).error).toEqual(new Error('Redis did not answer within 500 ms'));
    await redis.last.answer();
    expect(heard).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('is heard at its 499th millisecond', async () => {
    const { redis, calls, heard, advance, clock } = setUp();
    redis.reply = () => undefined;
    const asked = calls.ask('poll', undefined);
    await advance(499);
    await redis.last.answer();
    await expect(asked).resolves.toMatchObject({ status: 'ok' });
    expect(heard).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['Redis says no', () => Promise.reject(new Error('NOPERM'))],
    [
      'the client throws',
      () => {
        throw new Error('NOPERM');
      },
    ],
  ])('is rejected where %s', async (_case, run) => {
    const { redis, calls } = setUp();
    redis.run = run;
    await expect(calls.ask('poll', undefined)).rejects.toThrow('NOPERM');
  });

  it('is rejected where the answer is none', async () => {
    const { redis, calls, heard } = setUp();
    redis.run = () => Promise.resolve('OK');
    await expect(calls.ask('poll', undefined)).rejects.toThrow('does not say');
    expect(heard).toEqual([]);
  });
});

describe('while Redis is in trouble', () => {
  it('nothing is asked after three failures in a row, but once a second, then less often', async () => {
    const { redis, calls, fail, advance } = setUp();
    await calls.ask('poll', undefined);
    for (let failure = 1; failure <= 2; failure += 1) await fail();
    expect(calls.isAvailable).toBe(true);
    await fail();
    expect(calls.isAvailable).toBe(false);
    const asked = redis.asked.length;
    await expect(calls.ask('poll', undefined)).rejects.toThrow('Redis is in trouble');
    expect(redis.asked).toHaveLength(asked);
    for (const seconds of [1, 2, 4, 8, 10, 10]) {
      const before = redis.asked.length;
      // Chance makes a wait shorter by a tenth at most.
      await advance(seconds * 900 - 1);
      expect((await outcome(calls.ask('poll', undefined))).error).toBeDefined();
      expect(redis.asked).toHaveLength(before);
      await advance(seconds * 100 + 1);
      await fail();
      expect(redis.asked).toHaveLength(before + 1);
    }
  });

  it('is asked as ever once it has answered', async () => {
    const { redis, calls, fail, advance } = setUp();
    for (let failure = 1; failure <= 3; failure += 1) await fail();
    await advance(1_000);
    redis.reply = () => ({});
    await calls.ask('poll', undefined);
    expect(calls.isAvailable).toBe(true);
  });

  it('an answer in between starts the count again', async () => {
    const { redis, calls, fail } = setUp();
    await fail();
    await fail();
    redis.reply = () => ({});
    await calls.ask('poll', undefined);
    await fail();
    await fail();
    expect(calls.isAvailable).toBe(true);
  });

  it('is not worth while to ask before it has ever answered', () => {
    expect(setUp().calls.isAvailable).toBe(false);
  });
});
