import { createServer } from 'node:http';
import axios from 'axios';
import { Registry } from 'prom-client';
import request from 'supertest';
import {
  CircuitBreaker,
  fallbackResponse,
  holdUntilClosed,
  queueForRetry,
  readServerWait,
  type CircuitBreakerOptions,
  type QueuedRequest,
} from '../../src/index.js';
import { bullmqQueue, replay } from '../../src/bullmq/index.js';
import { exportMetrics } from '../../src/prometheus/index.js';
import { statusPage } from '../../src/status/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { outcome } from '../support/rig.js';

/** As it comes from JSON: an own property of that name. */
const hostile = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll('"PROTO"', '"__proto__"')) as Value;
const polluting = hostile({ PROTO: { polluted: true } });
const names = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf'];

const members = () =>
  [Object, Array, Function, Map, Promise].map(({ prototype }) =>
    Reflect.ownKeys(prototype as object),
  );
const membersBefore = members();

function expectUnpolluted() {
  expect({}).not.toHaveProperty('polluted');
  expect(members()).toEqual(membersBefore);
}

afterEach(expectUnpolluted);

describe('a __proto__ of its own', () => {
  it.each<[where: string, options: object]>([
    ['the options', polluting],
    ['halfOpen', { halfOpen: polluting }],
    ['rateLimit', { rateLimit: polluting }],
  ])('in %s is an unknown option', (_where, options) => {
    expect(() => new CircuitBreaker(axios.create(), options)).toThrow(
      /^Unknown option `[A-Za-z.]*__proto__`/,
    );
  });

  it.each<[where: string, make: () => unknown]>([
    ['holdUntilClosed', () => holdUntilClosed(polluting as object)],
    ['queueForRetry', () => queueForRetry(() => 1, polluting as object)],
    ['bullmqQueue', () => bullmqQueue({ add: () => Promise.resolve({}) }, polluting as object)],
    ['replay', () => replay(axios.create(), polluting as never)],
    [
      'exportMetrics',
      () =>
        exportMetrics(new CircuitBreaker(axios.create()), {
          registry: new Registry(),
          ...polluting,
        }),
    ],
  ])('in the options of %s is an unknown option', (_where, make) => {
    expect(make).toThrow(/^Unknown option `__proto__`/);
  });

  it('in the options of a request is a fault, and changes nothing', async () => {
    const sources: string[] = [];
    const client = axios.create({ adapter: () => Promise.reject(new Error('no')) });
    const breaker = new CircuitBreaker(client, {
      onFault: (_error, source) => sources.push(source),
    });
    client.interceptors.request.use((config) =>
      Object.assign(config, { circuitBreaker: polluting }),
    );
    await outcome(client.get('/'));
    expect(sources).toEqual(['circuitBreaker']);
    expect(breaker.snapshot().counts.admitted).toBe(1);
  });

  it('in units, or in the headers of an answer, is nobody’s header', () => {
    const headers = hostile({ PROTO: '5', 'retry-after': '7' });
    const units = hostile({ PROTO: 'ms' as const });
    expect(readServerWait({ status: 429, headers }, { units })).toMatchObject({ ms: 7_000 });
    expect(readServerWait({ status: 429, headers: polluting })).toBeUndefined();
  });

  it('in a body, params or headers that are queued stays data', async () => {
    const queued: QueuedRequest[] = [];
    const client = axios.create();
    const breaker = new CircuitBreaker(client, {
      fallback: queueForRetry((request) => queued.push(request), { headers: names }),
    });
    breaker.open();
    await client.post('/', hostile({ PROTO: { polluted: true } }), {
      params: hostile({ PROTO: { polluted: true } }),
      headers: hostile({ PROTO: 'x', constructor: 'y' }) as never,
    });
    const [request] = queued;
    for (const part of [request, request?.data, request?.params, request?.headers]) {
      expect(Object.getPrototypeOf(part)).toBe(Object.prototype);
    }
  });

  it('in the headers of a fallback’s answer stays a header', async () => {
    const client = axios.create();
    const headers = hostile({ PROTO: 'x', 'x-ok': 'yes' });
    const breaker = new CircuitBreaker(client, {
      fallback: () => fallbackResponse({ data: 1, headers }),
    });
    breaker.open();
    expect((await client.get('/')).headers['x-ok']).toBe('yes');
  });
});

describe('a key that is the name of a member of every object', () => {
  it.each(names)('is a key like any other: %s', async (name) => {
    const client = axios.create({ adapter: () => Promise.reject(new Error('no')) });
    const breaker = new CircuitBreaker(client, {
      name,
      key: ({ url }) => String(url),
      consecutiveFailures: 1,
      clock: new ManualClock(),
    });
    const registry = new Registry();
    exportMetrics(breaker, { registry });
    await outcome(client.get(name));
    await outcome(client.get('other', { circuitBreaker: { key: `${name}2` } }));
    breaker.close(`${name}2`);

    expect(breaker.keys()).toEqual([name, `${name}2`]);
    expect(breaker.getState(name)).toBe('open');
    expect(breaker.getState(`${name}2`)).toBe('closed');
    expect(await registry.metrics()).toContain(
      `axios_circuit_state{breaker="${name}",key="${name}",state="open"} 1`,
    );
  });
});

describe('a prototype that somebody else has polluted', () => {
  const polluted: CircuitBreakerOptions & Record<string, unknown> = {
    consecutiveFailures: 1,
    cooldown: 1,
    maxWait: 5,
    probes: 7,
    key: () => 'polluted',
    requestTimeout: 1,
    headers: ['authorization'],
  };
  const put = () => Object.assign(Object.prototype, polluted);
  const take = () => {
    for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name);
  };
  afterEach(take);

  it('sets no option of a breaker', async () => {
    const adapter = () =>
      Promise.reject(
        Object.assign(new Error('no'), {
          response: { status: 429, headers: { 'retry-after': '60' } },
        }),
      );
    const client = axios.create({ adapter });
    put();
    const breaker = new CircuitBreaker(client, { clock: new ManualClock() });
    await outcome(client.get('/'));
    take();
    expect(breaker.keys()).toEqual(['default']);
    expect(breaker.snapshot()).toMatchObject({ openReason: 'rate-limit', retryAfterMs: 60_000 });
  });

  it('sets no option of a request', async () => {
    const client = axios.create({ adapter: () => Promise.reject(new Error('no')) });
    const breaker = new CircuitBreaker(client, { clock: new ManualClock() });
    const config = { circuitBreaker: {} };
    put();
    await outcome(client.get('/', config));
    take();
    expect(breaker.keys()).toEqual(['default']);
    expect(breaker.getState()).toBe('closed');
  });

  it('adds no header to what is queued', async () => {
    const queued: QueuedRequest[] = [];
    put();
    const fallback = queueForRetry((request) => queued.push(request), {});
    take();
    const client = axios.create();
    new CircuitBreaker(client, { fallback }).open();
    await client.get('/', { headers: { authorization: 'Bearer s3cret' } });
    expect(queued[0]?.headers).not.toHaveProperty('authorization');
  });

  it('lets nobody command breakers by a status page', async () => {
    const breaker = new CircuitBreaker(axios.create(), { name: 'orders' });
    const token = 'known-to-the-attacker';
    const foreign = { control: true, token };
    Object.assign(Object.prototype, foreign);
    const page = statusPage([breaker]);
    for (const name of Object.keys(foreign)) Reflect.deleteProperty(Object.prototype, name);
    await request(createServer(page))
      .post('/command')
      .set('x-status-token', token)
      .send({ breaker: 'orders', command: 'open' })
      .expect(404);
    page.close();
    expect(breaker.getState()).toBe('closed');
  });
});
