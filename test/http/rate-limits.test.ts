import type { AxiosResponse } from 'axios';
import fc from 'fast-check';
import { Faults } from '../../src/faults.js';
import { RateLimits } from '../../src/http/rate-limits.js';
import { googleRetryInfo, type RateLimitOptions, type WaitHook } from '../../src/index.js';
import { resolveOptions } from '../../src/resolve-options.js';

function setUp(rateLimit: RateLimitOptions = {}, more: object = {}, chance = 0) {
  const resolved = resolveOptions({ rateLimit, ...more });
  const faults: [string, unknown][] = [];
  const onFault = (error: unknown, source: string) => void faults.push([source, error]);
  if (resolved.rateLimit === undefined) throw new Error('No rules');
  const limits = new RateLimits(resolved.rateLimit, () => chance, new Faults(onFault));
  return { limits, faults };
}

const answer = (status: number, headers: object = {}, data: unknown = '') =>
  ({ status, headers, data, config: {} }) as AxiosResponse;
const inMs = (ms: number) => ({ 'retry-after-ms': String(ms) });
const dateIn = (seconds: number) => ({
  date: 'Mon, 30 Nov 2026 12:00:00 GMT',
  'retry-after': new Date(Date.UTC(2026, 10, 30, 12) + seconds * 1_000).toUTCString(),
});
const bare = (recovery: string) => ({ waitMs: undefined, from: undefined, recovery });
/** How long to wait for an answer that was judged a failure. */
const waitFor = (response: AxiosResponse, options?: RateLimitOptions, more?: object) =>
  setUp(options, more).limits.ofFailure(response)?.waitMs;

describe('a failed answer', () => {
  it.each([429, 403])('with status %d and a wait is a limit that the clock ends', (status) => {
    expect(setUp().limits.ofFailure(answer(status, { 'retry-after': '7' }))).toEqual({
      waitMs: 7_000,
      from: 'retry-after',
      recovery: 'clock',
    });
  });

  it.each([400, 420, 500, 503, 529])(
    'with status %d and a wait is a limit that a probe ends',
    (status) => {
      expect(setUp().limits.ofFailure(answer(status, { 'retry-after': '7' }))).toEqual({
        waitMs: 7_000,
        from: 'retry-after',
        recovery: 'probe',
      });
    },
  );

  it('with status 429 is a limit without a wait, too', () => {
    expect(setUp().limits.ofFailure(answer(429))).toEqual(bare('clock'));
    expect(setUp().limits.ofFailure(answer(429, { 'retry-after': 'soon' }))).toEqual(bare('clock'));
  });

  it.each([{ 'retry-after': 'soon' }, { 'x-ratelimit-remaining': '0' }, { ratelimit: '"a";r=0' }])(
    'with status 403 is a limit where it is shaped like one: %j',
    (headers) => {
      expect(setUp().limits.ofFailure(answer(403, headers))).toEqual(bare('clock'));
    },
  );

  it.each([
    [403, {}],
    [403, { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '5' }],
    [400, { 'x-ratelimit-remaining': '0' }],
    [503, {}],
    [503, { 'retry-after': 'soon' }],
    [200, { 'retry-after': '5' }],
    [301, { 'retry-after': '5' }],
  ])('with status %d and %j is none', (status, headers) => {
    expect(setUp().limits.ofFailure(answer(status, headers))).toBeUndefined();
  });

  it('that does not exist is none', () => {
    expect(setUp().limits.ofFailure(undefined)).toBeUndefined();
  });
});

describe('a stated wait', () => {
  it('is minWait at least', () => {
    expect(waitFor(answer(429, inMs(100)))).toBe(1_000);
    expect(waitFor(answer(429, { 'retry-after': '0' }))).toBe(1_000);
    expect(waitFor(answer(429, inMs(100)), { minWait: 0 })).toBe(100);
    expect(waitFor(answer(429, inMs(100)), { minWait: 5_000 })).toBe(5_000);
    expect(waitFor(answer(503, inMs(100)))).toBe(1_000);
  });

  it('is maxWait at most', () => {
    expect(waitFor(answer(429, { 'retry-after': '90000' }))).toBe(86_400_000);
    expect(waitFor(answer(429, { 'retry-after': '61' }), { maxWait: 60_000 })).toBe(60_000);
    expect(waitFor(answer(403, { 'retry-after': '61' }), { maxWait: 60_000 })).toBe(60_000);
    expect(waitFor(answer(429, inMs(100)), { minWait: 5_000, maxWait: 2_000 })).toBe(2_000);
  });

  it('is maxWaitOther at most where the status is another: by default maxCooldown', () => {
    const restarting = answer(503, { 'retry-after': '3600' });
    expect(waitFor(restarting)).toBe(30_000);
    expect(waitFor(restarting, {}, { maxCooldown: 90_000 })).toBe(90_000);
    expect(waitFor(restarting, {}, { cooldown: 60_000 })).toBe(60_000);
    expect(waitFor(restarting, { maxWaitOther: 5_000 })).toBe(5_000);
    expect(waitFor(restarting, { maxWaitOther: 5_000 }, { maxCooldown: 90_000 })).toBe(5_000);
    expect(waitFor(restarting, { maxWait: 10_000, maxWaitOther: 600_000 })).toBe(600_000);
  });

  it('gets a second on top where it ends at a whole second', () => {
    expect(waitFor(answer(429, dateIn(20)))).toBe(21_000);
    expect(waitFor(answer(429, dateIn(0)))).toBe(1_000);
    expect(waitFor(answer(429, dateIn(20)), { minWait: 30_000 })).toBe(30_000);
    expect(waitFor(answer(429, dateIn(20)), { maxWait: 20_500 })).toBe(20_500);
    const reset = { date: dateIn(0).date, 'x-ratelimit-remaining': '0' };
    expect(waitFor(answer(429, { ...reset, 'x-ratelimit-reset': '1796040030' }))).toBe(31_000);
    expect(waitFor(answer(429, { ...reset, 'x-ratelimit-reset': '1796040030.5' }))).toBe(30_500);
    expect(waitFor(answer(429, { ...reset, 'x-ratelimit-reset': '30' }))).toBe(30_000);
  });

  it('grows by chance only, as far as jitter says and no further than the cap', () => {
    const wait = (chance: number, options: RateLimitOptions) =>
      setUp(options, {}, chance).limits.ofFailure(answer(429, { 'retry-after': '10' }))?.waitMs;
    expect(wait(0, { jitter: 0.5 })).toBe(10_000);
    expect(wait(0.5, { jitter: 0.5 })).toBe(12_500);
    expect(wait(0.999_999, { jitter: 1 })).toBe(20_000);
    expect(wait(0.999_999, {})).toBe(10_000);
    expect(wait(0.999_999, { jitter: 1, maxWait: 12_000 })).toBe(12_000);
    expect(wait(0.5, { jitter: 0.5, minWait: 20_000 })).toBe(25_000);
  });

  it('of 0 is none', () => {
    const options = { minWait: 0 };
    const zero = { 'retry-after': '0' };
    expect(setUp(options).limits.ofFailure(answer(429, zero))).toEqual(bare('clock'));
    expect(setUp(options).limits.ofFailure(answer(403, zero))).toEqual(bare('clock'));
    expect(setUp(options).limits.ofFailure(answer(503, zero))).toBeUndefined();
    expect(waitFor(answer(503, { 'retry-after': '5' }), {}, { maxCooldown: 0 })).toBeUndefined();
  });

  it('is read with the units and the headers of the options', () => {
    const minWait = 0;
    expect(
      waitFor(answer(429, { 'retry-after': '60000' }), { units: { 'Retry-After': 'ms' } }),
    ).toBe(60_000);
    expect(waitFor(answer(429, { 'X-Wait': '5' }), { minWait, headers: ['x-wait'] })).toBe(5_000);
  });
});

describe('the hook', () => {
  const waitBy = (wait: WaitHook, options: RateLimitOptions = {}) =>
    setUp({ ...options, wait }).limits.ofFailure(answer(429, { 'retry-after': '7' }));

  it('is asked with the response, before all headers', () => {
    const wait = jest.fn(() => 5_000);
    const given = answer(429, { 'retry-after': '7' });
    expect(setUp({ wait }).limits.ofFailure(given)).toEqual({
      waitMs: 5_000,
      from: 'rateLimit.wait',
      recovery: 'clock',
    });
    expect(wait).toHaveBeenCalledTimes(1);
    expect(wait).toHaveBeenCalledWith(given);
  });

  it.each([200, 400, 500])('finds a wait whatever the status: %d', (status) => {
    const { limits } = setUp({ wait: () => 5_000 });
    expect(limits.ofFailure(answer(status))).toEqual({
      waitMs: 5_000,
      from: 'rateLimit.wait',
      recovery: 'probe',
    });
  });

  it('may return a Date', () => {
    const { waitMs = 0 } = waitBy(() => new Date(Date.now() + 20_000)) ?? {};
    expect(waitMs).toBeGreaterThan(19_000);
    expect(waitMs).toBeLessThanOrEqual(20_000);
    expect(waitBy(() => new Date(0))?.waitMs).toBe(1_000);
  });

  it.each([undefined, null])('may return %p, and then the headers decide', (nothing) => {
    const { limits, faults } = setUp({ wait: () => nothing });
    const response = answer(429, { 'retry-after': '7' });
    expect(limits.ofFailure(response)).toMatchObject({ waitMs: 7_000, from: 'retry-after' });
    expect(faults).toEqual([]);
  });

  it('may be left out', () => {
    const { limits, faults } = setUp();
    limits.ofFailure(answer(429));
    expect(faults).toEqual([]);
  });

  it('is held to minWait, maxWait, jitter and maxWaitOther, and to whole ms', () => {
    expect(waitBy(() => 0)?.waitMs).toBe(1_000);
    expect(waitBy(() => 1_000.2)?.waitMs).toBe(1_001);
    expect(waitBy(() => Infinity)?.waitMs).toBe(86_400_000);
    expect(waitBy(() => 90_000, { maxWait: 60_000 })?.waitMs).toBe(60_000);
    expect(waitFor(answer(503), { wait: () => 90_000 })).toBe(30_000);
    const { limits } = setUp({ wait: () => 2_000, jitter: 0.5 }, {}, 0.5);
    expect(limits.ofFailure(answer(429))?.waitMs).toBe(2_500);
  });

  it('that returns 0 with a minWait of 0 states no wait', () => {
    expect(waitBy(() => 0, { minWait: 0 })).toEqual(bare('clock'));
    expect(setUp({ minWait: 0, wait: () => 0 }).limits.ofFailure(answer(500))).toBeUndefined();
  });

  it('that throws is reported, and the headers decide', () => {
    const boom = new Error('boom');
    const { limits, faults } = setUp({
      wait: () => {
        throw boom;
      },
    });
    const response = answer(429, { 'retry-after': '7' });
    expect(limits.ofFailure(response)).toMatchObject({ waitMs: 7_000, from: 'retry-after' });
    expect(limits.ofFailure(response)).toMatchObject({ waitMs: 7_000 });
    expect(faults).toEqual([['rateLimit.wait', boom]]);
  });

  it.each<[unknown, string]>([
    [-1, '-1'],
    [NaN, 'NaN'],
    [new Date(NaN), 'an object'],
    ['5000', '"5000"'],
    [true, 'true'],
    [{}, 'an object'],
    [5n, '5n'],
    [Promise.resolve(5_000), 'a promise'],
    [Promise.reject(new Error('boom')), 'a promise'],
  ])('that returns %p is reported, and the headers decide', (returned, got) => {
    const { limits, faults } = setUp({ wait: (() => returned) as WaitHook });
    expect(limits.ofFailure(answer(429, { 'retry-after': '7' }))).toMatchObject({ waitMs: 7_000 });
    expect(faults).toEqual([
      [
        'rateLimit.wait',
        new TypeError(`Expected \`rateLimit.wait\` to return ms, a Date or nothing, got ${got}`),
      ],
    ]);
  });

  it('is not asked about what is no answer, or no failure', () => {
    const wait = jest.fn(() => 5_000);
    const { limits } = setUp({ wait, preempt: true });
    expect(limits.ofFailure(undefined)).toBeUndefined();
    expect(limits.ofSuccess(answer(200))).toBeUndefined();
    expect(wait).not.toHaveBeenCalled();
  });

  it('may be one of those that are ready for use', () => {
    const body = { error: { details: [{ retryDelay: '34.0748s' }] } };
    const { limits } = setUp({ wait: googleRetryInfo });
    expect(limits.ofFailure(answer(429, {}, body))).toMatchObject({
      waitMs: 34_075,
      from: 'rateLimit.wait',
    });
    expect(limits.ofFailure(answer(429, {}, 'busy'))).toEqual(bare('clock'));
  });
});

describe('a successful answer', () => {
  const exhausted = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' };

  it('is a limit where preempt is set and nothing is left', () => {
    expect(setUp({ preempt: true }).limits.ofSuccess(answer(200, exhausted))).toEqual({
      waitMs: 30_000,
      from: 'x-ratelimit-reset',
      recovery: 'clock',
    });
  });

  it('is none unless preempt is set', () => {
    expect(setUp().limits.ofSuccess(answer(200, exhausted))).toBeUndefined();
    expect(setUp({ preempt: false }).limits.ofSuccess(answer(200, exhausted))).toBeUndefined();
  });

  it.each([
    { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '30' },
    { 'x-ratelimit-remaining': '0' },
    { 'x-ratelimit-reset': '30' },
    { 'retry-after': '30' },
    {},
  ])('is none where something is left, or no reset is readable: %j', (headers) => {
    expect(setUp({ preempt: true }).limits.ofSuccess(answer(200, headers))).toBeUndefined();
  });

  it('is held to minWait, maxWait, jitter, and the second on top', () => {
    const wait = (options: RateLimitOptions, reset: string, chance = 0) =>
      setUp({ preempt: true, ...options }, {}, chance).limits.ofSuccess(
        answer(200, { date: dateIn(0).date, ...exhausted, 'x-ratelimit-reset': reset }),
      )?.waitMs;
    expect(wait({}, '0.2')).toBe(1_000);
    expect(wait({ maxWait: 20_000, maxWaitOther: 5_000 }, '30')).toBe(20_000);
    expect(wait({}, '1796040030')).toBe(31_000);
    expect(wait({ jitter: 0.5 }, '30', 0.5)).toBe(37_500);
    expect(wait({ units: { 'x-ratelimit-reset': 'ms' } }, '30000')).toBe(30_000);
  });
});

describe('whatever an answer says', () => {
  it('its wait is within minWait and the cap', () => {
    const numbers = fc.oneof(fc.nat(1e5), fc.double({ min: 0, noNaN: true }));
    const header = fc.oneof(
      numbers.map(String),
      fc.string(),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    const options = fc.record({
      minWait: fc.nat(5_000),
      maxWait: fc.integer({ min: 5_000, max: 1e8 }),
      maxWaitOther: fc.integer({ min: 5_000, max: 1e8 }),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
      preempt: fc.boolean(),
      wait: fc.option(
        fc.anything().map((any) => () => any as number),
        { nil: undefined },
      ),
    });
    const chance = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
    const status = fc.constantFrom(429, 403, 503);
    fc.assert(
      fc.property(status, header, options, chance, (given, value, rateLimit, drawn) => {
        const { limits } = setUp(rateLimit, {}, drawn);
        const headers = { 'retry-after': value, 'x-ratelimit-remaining': '0' };
        const all = { ...headers, 'x-ratelimit-reset': value };
        const { minWait, maxWait, maxWaitOther } = rateLimit;
        const cap = given === 503 ? maxWaitOther : maxWait;
        for (const [limit, most] of [
          [limits.ofFailure(answer(given, all)), cap],
          [limits.ofSuccess(answer(200, all)), maxWait],
        ] as const) {
          const { waitMs } = limit ?? {};
          if (waitMs === undefined) continue;
          expect(Number.isInteger(waitMs)).toBe(true);
          expect(waitMs).toBeGreaterThanOrEqual(Math.max(1, minWait));
          expect(waitMs).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
