import { redisState } from '../../src/redis/index.js';
import { FakeMember, settled } from './fake-redis.js';

/** A client that remembers the arguments of each call. */
function createClient() {
  const asked: string[][] = [];
  const client = {
    evalSha: (_sha: string, { arguments: given }: { arguments: string[] }) => {
      asked.push(given);
      return Promise.reject(new Error('no Redis here'));
    },
    eval: () => Promise.reject(new Error('no Redis here')),
    subscribe: () => Promise.resolve(),
    unsubscribe: () => Promise.resolve(),
  };
  return { client, asked };
}

/** Under what name a breaker takes part. */
async function nodeOf({ client, asked }: ReturnType<typeof createClient>) {
  const seat = redisState(client).join(new FakeMember());
  await settled();
  seat.leave();
  return asked.at(-1)?.[2];
}

describe('redisState', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a URL', 'redis://127.0.0.1'],
    ['an empty object', {}],
    ['what has no subscribe', { evalSha: () => undefined, eval: () => undefined }],
  ])('takes no %s for a client', (_what, client) => {
    const message = /^Expected `client` to be a client of `redis` or `ioredis`, got /;
    expect(() => redisState(client as never)).toThrow(message);
    expect(() => redisState(client as never)).toThrow(TypeError);
  });

  it.each([
    [
      { prefix: '' },
      RangeError,
      'Expected `prefix` to be a string that is not empty and has no braces, got ""',
    ],
    [
      { prefix: 'a{}b' },
      RangeError,
      'Expected `prefix` to be a string that is not empty and has no braces, got "a{}b"',
    ],
    [
      { prefix: 7 },
      TypeError,
      'Expected `prefix` to be a string that is not empty and has no braces, got 7',
    ],
    [{ quorum: 0 }, RangeError, 'Expected `quorum` to be a number above 0 and at most 1, got 0'],
    [
      { quorum: 1.01 },
      RangeError,
      'Expected `quorum` to be a number above 0 and at most 1, got 1.01',
    ],
    [
      { quorum: NaN },
      RangeError,
      'Expected `quorum` to be a number above 0 and at most 1, got NaN',
    ],
    [
      { quorum: '0.5' },
      TypeError,
      'Expected `quorum` to be a number above 0 and at most 1, got "0.5"',
    ],
    [
      { pollInterval: 99 },
      RangeError,
      'Expected `pollInterval` to be a number of milliseconds from 100 to 60000, got 99',
    ],
    [
      { pollInterval: 60_001 },
      RangeError,
      'Expected `pollInterval` to be a number of milliseconds from 100 to 60000, got 60001',
    ],
    [{ interval: 1 }, TypeError, 'Unknown option `interval`. Did you mean `pollInterval`?'],
  ])('does not take %j', (options, ErrorType, message) => {
    expect(() => redisState(createClient().client, options as never)).toThrow(
      new ErrorType(message),
    );
  });

  it.each([null, 1, 'prefix'])('does not take %j for options', (options) => {
    expect(() => redisState(createClient().client, options as never)).toThrow(TypeError);
  });

  it.each([
    { prefix: 'ünïcode 🚦:*' },
    { quorum: 1 },
    { pollInterval: 100 },
    { pollInterval: 60_000 },
    { prefix: undefined, quorum: undefined, pollInterval: undefined },
  ])('takes %j', (options) => {
    expect(() => redisState(createClient().client, options)).not.toThrow();
  });

  it('lets the breakers over one client have one vote together', async () => {
    const one = createClient();
    const node = await nodeOf(one);
    expect(node).toMatch(/^[\da-f-]{36}$/);
    await expect(nodeOf(one)).resolves.toBe(node);
    await expect(nodeOf(createClient())).resolves.not.toBe(node);
  });
});
