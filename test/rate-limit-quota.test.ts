import axios from 'axios';
import { CircuitBreakerWithEmitter, type CircuitBreakerOptions } from '../src/index.js';
import { ManualClock } from '../src/testing/index.js';
import { QuotaServer, windowMs, type Tell } from './support/quota-server.js';

const windows = 5;
const step = 10;

const seconds = (ms: number) => String(Math.ceil(ms / 1_000));
const httpDate = (ms: number) => new Date(ms).toUTCString();

const retryAfter: Tell = ({ resetsInMs }, isRefused) =>
  isRefused ? { 'retry-after': seconds(resetsInMs) } : {};
const retryAfterDate: Tell = ({ resetsInMs, now }, isRefused) => ({
  date: httpDate(now),
  ...(isRefused && { 'retry-after': httpDate(now + resetsInMs) }),
});
const resetAtEpoch: Tell = ({ remaining, resetsInMs, now }) => ({
  date: httpDate(now),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': seconds(now + resetsInMs),
});
const resetIn: Tell = ({ remaining, resetsInMs }) => ({
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': seconds(resetsInMs),
});
const rateLimitField: Tell = ({ remaining, resetsInMs }) => ({
  ratelimit: `"default";r=${remaining};t=${seconds(resetsInMs)}`,
});

/** Half a request more than the quota allows for, evenly, through five windows. */
async function offer(
  quota: number,
  latency: number,
  tell: Tell,
  options: CircuitBreakerOptions = {},
): Promise<{ server: QuotaServer; reasons: Set<string>; breaker: CircuitBreakerWithEmitter }> {
  const clock = new ManualClock();
  const server = new QuotaServer(clock, quota, latency, tell);
  const client = axios.create({ adapter: server.adapter });
  const breaker = new CircuitBreakerWithEmitter(client, { clock, ...options });
  const reasons = new Set<string>();
  breaker.on('OPEN', ({ reason, from }) => reasons.add(`${reason} ${from}`));
  const interval = windowMs / (1.5 * quota);
  let sent = 0;
  while (clock.now() < windows * windowMs) {
    for (; sent * interval <= clock.now(); sent += 1) void client.get('/').catch(() => undefined);
    // The promises of this instant, before the next one.
    await new Promise((resolve) => setImmediate(resolve));
    // With nothing under way, nothing happens until the next one is sent.
    const next = Math.ceil((sent * interval) / step) * step;
    clock.advance(server.isIdle ? Math.max(step, next - clock.now()) : step);
  }
  clock.advance(latency);
  await new Promise((resolve) => setImmediate(resolve));
  breaker.detach();
  return { server, reasons, breaker };
}

/** One request at a time. */
const slow = { quota: 100, latency: 40 };
/** Several under way at once. */
const fast = { quota: 600, latency: 100 };
const dialects = [
  { name: 'Retry-After in seconds', tell: retryAfter, from: 'retry-after' },
  { name: 'Retry-After as a date', tell: retryAfterDate, from: 'retry-after' },
  { name: 'X-RateLimit-Reset since 1970', tell: resetAtEpoch, from: 'x-ratelimit-reset' },
  { name: 'RateLimit-Reset in seconds', tell: resetIn, from: 'ratelimit-reset' },
  { name: 'the RateLimit field', tell: rateLimitField, from: 'ratelimit' },
];
interface Rule {
  readonly rule: string;
  readonly options: CircuitBreakerOptions;
}
const byDefault: Rule = { rule: 'the default rules', options: {} };
const byFirstError: Rule = {
  rule: 'the first-error rule',
  options: { errorHandler: (error) => error.response?.status === 429 },
};
const cases = [
  ...dialects.map((dialect) => ({ ...slow, ...dialect, ...byDefault })),
  ...dialects.map((dialect) => ({ ...fast, ...dialect, ...byDefault })),
  ...dialects.map((dialect) => ({ ...slow, ...dialect, ...byFirstError })),
];

describe('against a quota for each minute, of which half as much again is asked', () => {
  it.each(cases)(
    'the client gets all of $quota, for one 429 and those under way: $name, $rule',
    async ({ quota, latency, tell, from, options }) => {
      const { server, reasons, breaker } = await offer(quota, latency, tell, options);

      expect(server.windows).toHaveLength(windows);
      for (const { served, refused } of server.windows) {
        expect(served).toBeGreaterThanOrEqual(0.99 * quota);
        expect(refused).toBeGreaterThanOrEqual(1);
        expect(refused).toBeLessThanOrEqual(2);
      }
      expect([...reasons]).toEqual([`rate-limit ${from}`]);
      const { counts } = breaker.snapshot();
      expect(counts.admitted + counts.refused).toBeGreaterThanOrEqual(1.5 * quota * windows);
      expect(counts.opened).toBe(windows);
    },
    20_000,
  );

  const asking = dialects.filter(({ tell }) => ![retryAfter, retryAfterDate].includes(tell));

  it.each(asking)(
    'the client meets no 429 at all with preempt, one request at a time: $name',
    async ({ tell, from }) => {
      const { server, reasons } = await offer(slow.quota, slow.latency, tell, {
        rateLimit: { preempt: true },
      });

      expect(server.mostInFlight).toBe(1);
      expect(server.windows).toHaveLength(windows);
      for (const { served, refused } of server.windows) {
        expect(served).toBe(slow.quota);
        expect(refused).toBe(0);
      }
      expect([...reasons]).toEqual([`rate-limit ${from}`]);
    },
  );

  it.each(asking)(
    'the client meets no more 429s with preempt than were under way: $name',
    async ({ tell }) => {
      const { server } = await offer(fast.quota, fast.latency, tell, {
        rateLimit: { preempt: true },
      });

      expect(server.mostInFlight).toBeGreaterThan(1);
      for (const { served, refused } of server.windows) {
        expect(served).toBeGreaterThanOrEqual(0.99 * fast.quota);
        expect(refused).toBeLessThanOrEqual(server.mostInFlight - 1);
      }
    },
  );
});
