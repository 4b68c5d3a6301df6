import type { ServerWaitOptions, WaitUnit } from '../../../src/index.js';
import { headerFields } from '../../../src/http/server-wait/header-fields.js';
import { Measure } from '../../../src/http/server-wait/measure.js';

const noon = Date.UTC(2026, 10, 30, 12);
const at = (ms: number) => new Date(noon + ms).toUTCString();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Said {
  readonly reset: unknown;
  readonly date?: unknown;
  readonly age?: unknown;
}

function measure(said: Said, options: ServerWaitOptions = {}, unit?: WaitUnit) {
  const fields = headerFields(said);
  return new Measure(fields, { now: noon, ...options }).longest(fields, ['reset'], unit);
}

describe('a time', () => {
  it('is measured against the Date of the answer, whatever our clock says', () => {
    for (const skew of [-3 * minute, -10_000, 0, 5 * minute, 10 * hour, -40 * 365 * day]) {
      const now = noon + skew;
      expect(measure({ reset: at(minute), date: at(0) }, { now })?.ms).toBe(minute);
      expect(measure({ reset: (noon + minute) / 1_000, date: at(0) }, { now })?.ms).toBe(minute);
      expect(measure({ reset: noon + minute, date: at(0) }, { now })?.ms).toBe(minute);
    }
  });

  it.each(['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'])(
    'is measured against a Date in any form: %s',
    (date) => {
      expect(measure({ reset: 'Sun, 06 Nov 1994 08:50:07 GMT', date })?.ms).toBe(30_000);
    },
  );

  it('is measured against our clock where the answer has no Date', () => {
    expect(measure({ reset: at(minute) })?.ms).toBe(minute);
    expect(measure({ reset: at(minute) }, { now: noon + 20_000 })?.ms).toBe(40_000);
    expect(measure({ reset: 'Monday, 30-Nov-26 12:01:00 GMT' })?.ms).toBe(minute);
    const soon = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + minute).toUTCString();
    expect(measure({ reset: soon }, { now: undefined })?.ms).toBeGreaterThan(minute - 1_000);
    expect(measure({ reset: soon }, { now: undefined })?.ms).toBeLessThanOrEqual(minute + 1_000);
  });

  it.each(['yesterday', '', 'Mon, 30 Nov 2026 11:00:00', '1796040000', null])(
    'is measured against our clock where the Date is malformed: %p',
    (date) => {
      expect(measure({ reset: at(minute), date })?.ms).toBe(minute);
    },
  );

  it('is measured against our clock where only that makes sense of it', () => {
    const nonsense = 'Fri, 01 Jan 1999 00:00:00 GMT';
    expect(measure({ reset: at(minute), date: nonsense })?.ms).toBe(minute);
    const future = 'Thu, 01 Jan 2099 00:00:00 GMT';
    expect(measure({ reset: at(minute), date: future })?.ms).toBe(minute);
  });

  it('is measured against the Date up to a day ahead, also where our clock says less', () => {
    const now = noon + hour;
    expect(measure({ reset: at(day), date: at(0) }, { now })?.ms).toBe(day);
  });

  it('is not measured against our clock for being longer than maxWait', () => {
    const now = noon + 4 * minute;
    const options = { now, maxWait: 2 * minute };
    expect(measure({ reset: at(5 * minute), date: at(0) }, options)?.ms).toBe(2 * minute);
  });

  it('may be days ahead where maxWait is', () => {
    const options = { now: noon + 3 * day, maxWait: 7 * day };
    expect(measure({ reset: at(4 * day), date: at(0) }, options)?.ms).toBe(4 * day);
  });

  it('counts from Date and Age of what a cache kept', () => {
    expect(measure({ reset: at(minute), date: at(-minute), age: '60' })?.ms).toBe(minute);
    expect(measure({ reset: at(minute), date: at(-minute), age: 60 })?.ms).toBe(minute);
    expect(measure({ reset: at(minute), date: at(-minute), age: ' 60' })?.ms).toBe(minute);
  });

  it.each(['', '-60', 'old', null, {}])('takes a malformed Age for none: %p', (age) => {
    expect(measure({ reset: at(minute), date: at(0), age })?.ms).toBe(minute);
  });

  it('of a century that the Date decides is read by it', () => {
    const now = 0;
    expect(measure({ reset: 'Monday, 30-Nov-26 12:01:00 GMT', date: at(0) }, { now })?.ms).toBe(
      minute,
    );
  });

  it('that is over is now; one that is over for a day says nothing', () => {
    expect(measure({ reset: at(0) })?.ms).toBe(0);
    expect(measure({ reset: at(-2_000) })?.ms).toBe(0);
    expect(measure({ reset: at(-day + 1_000) })?.ms).toBe(0);
    expect(measure({ reset: at(-day) })).toBeUndefined();
    expect(measure({ reset: 'Wed, 12 Aug 2015 07:28:00 GMT' })).toBeUndefined();
  });

  it('tells whether it is a whole second', () => {
    const isWhole = (reset: unknown, unit?: WaitUnit) =>
      measure({ reset }, {}, unit)?.isWholeSecond;
    expect(isWhole(at(minute))).toBe(true);
    expect(isWhole(noon / 1_000 + 5)).toBe(true);
    expect(isWhole(noon + 5_000)).toBe(true);
    expect(isWhole('2026-11-30T12:00:05Z')).toBe(true);
    expect(isWhole('2026-11-30T12:00:05.5Z')).toBe(false);
    expect(isWhole(noon / 1_000 + 5.25)).toBe(false);
    expect(isWhole(noon + 5_001)).toBe(false);
    expect(isWhole('5')).toBe(false);
    expect(isWhole('5s')).toBe(false);
  });
});

describe('a wait', () => {
  it.each([
    ['1.0479', 1_048],
    ['0.493', 493],
    ['0.0001', 1],
    ['2.0', 2_000],
    ['1.1', 1_100],
    ['4.35', 4_350],
    ['34.0748', 34_075],
    ['0', 0],
  ])('of %s s is rounded up to %d ms', (reset, ms) => {
    expect(measure({ reset })?.ms).toBe(ms);
  });

  it('never grows by what floating point adds', () => {
    for (let ms = 0; ms < 100_000; ms += 7) {
      expect(measure({ reset: (ms / 1_000).toFixed(3) })?.ms).toBe(ms);
    }
  });

  it('is the longest of several, and names its header', () => {
    const fields = headerFields({ a: '5', b: ['7', '9'], c: 'never', d: '8' });
    const longest = new Measure(fields, {}).longest(fields, ['a', 'b', 'c', 'd', 'e'], undefined);
    expect(longest).toEqual({ ms: 9_000, from: 'b', isWholeSecond: false });
  });

  it('is 86400000 ms at most, or maxWait', () => {
    expect(measure({ reset: '86400' })?.ms).toBe(day);
    expect(measure({ reset: '86401' })?.ms).toBe(day);
    expect(measure({ reset: '99999999h' })?.ms).toBe(day);
    expect(measure({ reset: at(30 * day), date: at(0) })?.ms).toBe(day);
    expect(measure({ reset: '10' }, { maxWait: 5_000 })?.ms).toBe(5_000);
    expect(measure({ reset: '10' }, { maxWait: 5_000.5 })?.ms).toBe(5_000);
    expect(measure({ reset: `${'9'.repeat(400)}s` }, { maxWait: 1e12 })?.ms).toBe(1e12);
  });
});

describe('a unit', () => {
  it.each([
    ['s', '5', 5_000],
    ['ms', '5', 5],
    ['epoch-s', String(noon / 1_000 + 5), 5_000],
    ['epoch-ms', String(noon + 5), 5],
  ] as const)('%s of a header decides what its numbers mean', (unit, reset, ms) => {
    expect(measure({ reset }, { units: { reset: unit } })?.ms).toBe(ms);
    expect(measure({ reset }, { units: { Reset: unit } })?.ms).toBe(ms);
    expect(measure({ reset }, {}, unit)?.ms).toBe(ms);
  });

  it('goes before the usual one, and holds for its header alone', () => {
    expect(measure({ reset: '5' }, { units: { reset: 's' } }, 'ms')?.ms).toBe(5_000);
    expect(measure({ reset: '5' }, { units: { other: 'ms' } })?.ms).toBe(5_000);
    expect(measure({ reset: '5s' }, { units: { reset: 'ms' } })?.ms).toBe(5_000);
  });

  it('is not read of a prototype', () => {
    const units = Object.create({ reset: 'ms' }) as Record<string, WaitUnit>;
    expect(measure({ reset: '5' }, { units })?.ms).toBe(5_000);
  });

  it('is seconds where that is known, unless the user knows better', () => {
    const fields = headerFields({});
    const inSeconds = (options: ServerWaitOptions, number: number) =>
      new Measure(fields, { now: noon, ...options }).inSeconds(number, 'ratelimit');
    expect(inSeconds({}, 5)).toEqual({ ms: 5_000, from: 'ratelimit', isWholeSecond: false });
    expect(inSeconds({}, noon / 1_000 + 5)?.ms).toBe(day);
    expect(inSeconds({ units: { ratelimit: 'ms' } }, 5_000)?.ms).toBe(5_000);
    expect(inSeconds({ units: { ratelimit: 'epoch-s' } }, 5)).toBeUndefined();
    expect(inSeconds({ units: { RateLimit: 'epoch-s' } }, noon / 1_000 + 5)?.ms).toBe(5_000);
  });
});
