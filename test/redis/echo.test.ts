import axios from 'axios';
import { CircuitBreakerWithEmitter } from '../../src/index.js';
import { Names } from '../../src/redis/names.js';
import { redisState } from '../../src/redis/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { outcome } from '../support/rig.js';

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A client of a Redis that knows of these circuits, and keeps what it is asked to do. */
function createRedis() {
  const asked: string[] = [];
  const redis = { asked, epoch: 1, circuits: [] as unknown[] };
  const run = (_script: string, { arguments: [operation = ''] }: { arguments: string[] }) => {
    asked.push(operation);
    const { epoch, circuits } = redis;
    const answer = { status: 'ok', incarnation: 'first', epoch, now: 1_000, circuits };
    return Promise.resolve(JSON.stringify(answer));
  };
  const listen = () => Promise.resolve(undefined);
  const client = { evalSha: run, eval: run, subscribe: listen, unsubscribe: listen };
  return { redis, client };
}

it('a process tells what it saw itself, and not what it heard', async () => {
  const { redis, client } = createRedis();
  const clock = new ManualClock();
  const http = axios.create({
    adapter: (config) => Promise.reject(new axios.AxiosError('no', 'ECONNRESET', config)),
  });
  const breaker = new CircuitBreakerWithEmitter(http, {
    ...{ name: 'orders', clock, consecutiveFailures: 1, cooldown: 300, cooldownJitter: 0 },
    shared: redisState(client),
  });
  const reasons: string[] = [];
  breaker.on('OPEN', ({ reason }) => reasons.push(reason));
  await settled();
  await outcome(http.get('/'));
  clock.advance(300);
  expect(breaker.getState()).toBe('half-open');

  // Another process has probed in vain.
  redis.epoch = 2;
  redis.circuits = [
    [new Names('axios-circuit-guard', 'orders').id('default'), 'open', 2, 600, 'probe', 2],
  ];
  clock.advance(1_000);
  await settled();
  expect(reasons).toEqual(['consecutive', 'shared']);
  expect(redis.asked.filter((operation) => operation === 'vote')).toHaveLength(1);
  breaker.detach();
});

it('a process tells the time that a late answer states, though others have opened', async () => {
  const { redis, client } = createRedis();
  const clock = new ManualClock();
  let answer = (): void => undefined;
  const http = axios.create({
    adapter: (config) =>
      new Promise((_resolve, reject) => {
        const headers = { 'retry-after': '60' };
        const response = { status: 429, headers, statusText: '', data: '', config };
        answer = () => reject(new axios.AxiosError('no', undefined, config, {}, response as never));
      }),
  });
  const breaker = new CircuitBreakerWithEmitter(http, {
    ...{ name: 'orders', clock, shared: redisState(client) },
  });
  await settled();
  const asked = outcome(http.get('/'));
  await settled();
  redis.epoch = 2;
  redis.circuits = [
    [new Names('axios-circuit-guard', 'orders').id('default'), 'open', 2, 5_000, 'clock', 0],
  ];
  clock.advance(1_100);
  await settled();
  expect(breaker.snapshot()).toMatchObject({ openReason: 'shared', retryAfterMs: 5_000 });
  answer();
  await asked;
  expect(breaker.snapshot().retryAfterMs).toBe(60_000);
  expect(redis.asked.filter((operation) => operation === 'rest')).toHaveLength(1);
  breaker.detach();
});
