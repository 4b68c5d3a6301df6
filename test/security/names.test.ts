import axios from 'axios';
import { Registry } from 'prom-client';
import { CircuitBreaker, CircuitBreakerWithEmitter } from '../../src/index.js';
import { exportMetrics } from '../../src/prometheus/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { outcome } from '../support/rig.js';

const long = 'a'.repeat(1_001);
const failing = () => axios.create({ adapter: () => Promise.reject(new Error('no')) });

/** Names and keys that mean something where they are shown. */
const hostile = [
  'two\nlines',
  'a\r\nset-cookie: b',
  '"} 1\naxios_circuit_state{breaker="forged",key="x",state="open',
  'back\\slash',
  '\u001b[31mred',
  '<script>alert(1)</script>',
  '\u2028\u0000',
  '${process.env.HOME}',
  '%s %d %j',
];

async function scrapeOf(name: string) {
  const client = failing();
  const breaker = new CircuitBreaker(client, {
    name,
    key: ({ url }) => String(url),
    consecutiveFailures: 1,
    clock: new ManualClock(),
  });
  const registry = new Registry();
  exportMetrics(breaker, { registry });
  await outcome(client.get(name));
  const { error } = await outcome(client.get(name));
  const lines = (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#'));
  return { lines, error: error as Error, breaker };
}

describe('a breaker name, or a key, that means something elsewhere', () => {
  it.each(hostile)('is one label of a metric, whatever is in it: %j', async (name) => {
    const { lines } = await scrapeOf(name);
    const plain = await scrapeOf('plain');
    expect(lines).toHaveLength(plain.lines.length);
    const series = /^\w+\{(\w+="(\\.|[^"\\\n])*",?)+\} \S+$/;
    expect(lines.filter((line) => line !== '' && !series.test(line))).toEqual([]);
  });

  it.each(hostile)('is in no message, and escaped in the JSON of an error: %j', async (name) => {
    const { error, breaker } = await scrapeOf(name);
    expect(String(error)).toBe('BreakerOpenError: Circuit breaker is open');
    const json = JSON.stringify(error);
    expect(JSON.parse(json)).toMatchObject({ breaker: name, key: name });
    expect(json).toMatch(/^[^\p{Cc}]+$/u);
    expect(breaker.keys()).toEqual([name]);
  });
});

describe('what is longer than anybody reads', () => {
  it('is no name of a breaker', () => {
    expect(() => new CircuitBreaker(axios.create(), { name: long })).toThrow(
      /^Expected `name` to be a string of 1 to 1000 characters, got "a+"$/,
    );
    expect(new CircuitBreaker(axios.create(), { name: long.slice(1) }).name).toHaveLength(1_000);
  });

  it.each([
    { what: 'key', key: () => long, url: '/' },
    { what: 'origin', key: 'origin' as const, url: `http://${long}.example/` },
  ])('is no key of a circuit, but a fault: $what', async ({ key, url }) => {
    const onFault = jest.fn();
    const client = failing();
    const breaker = new CircuitBreaker(client, { key, onFault });
    await outcome(client.get(url));
    expect(breaker.keys()).toEqual(['default']);
    expect(onFault.mock.calls).toEqual([[expect.any(RangeError), 'key']]);
  });

  it('is no key of a request, but a fault', async () => {
    const onFault = jest.fn<unknown, [unknown]>();
    const client = failing();
    const breaker = new CircuitBreaker(client, { onFault });
    await outcome(client.get('/', { circuitBreaker: { key: long } }));
    expect(breaker.keys()).toEqual(['default']);
    expect(onFault.mock.calls[0]?.[0]).toBeInstanceOf(RangeError);
  });

  const endless: unknown[] = [];
  endless.push(endless, endless, endless, endless, endless);

  it.each<[what: string, act: () => unknown]>([
    ['an unknown option', () => new CircuitBreaker(axios.create(), { [long.repeat(100)]: 1 })],
    ['a value', () => new CircuitBreaker(axios.create(), { mode: long as never })],
    ['a list in itself', () => new CircuitBreaker(axios.create(), { mode: endless as never })],
    ['a client', () => new CircuitBreaker(long as never)],
    [
      'an event',
      () => new CircuitBreakerWithEmitter(axios.create()).on(long as never, () => undefined),
    ],
  ])('is cut short in a message: %s', (_what, act) => {
    expect(act).toThrow(/^(Expected|Unknown) .{1,400}$/s);
  });

  it('is cut short in what is kept of an error', async () => {
    const client = axios.create({ adapter: () => Promise.reject(new Error(long)) });
    const breaker = new CircuitBreaker(client);
    await outcome(client.get('/'));
    expect(breaker.snapshot().lastError?.message).toBe(`${long.slice(0, 200)}…`);
  });
});
