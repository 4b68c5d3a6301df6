import {
  readNumber,
  readNumberAs,
  readValues,
  trim,
} from '../../../src/http/server-wait/values.js';

const now = Date.UTC(2026, 10, 30, 12);
const read = (...lines: string[]) => readValues(lines, undefined, now);
const delta = (ms: number) => ({ kind: 'delta', ms });
const instant = (at: number) => ({ kind: 'instant', at });

describe('a number', () => {
  it.each([
    ['0', 0],
    ['95', 95],
    ['007', 7],
    ['2.0', 2],
    ['0.493', 0.493],
    ['1796040045', 1_796_040_045],
  ])('%s is one', (text, number) => {
    expect(readNumber(text)).toBe(number);
  });

  it.each([
    '',
    ' 5',
    '-5',
    '+5',
    '.5',
    '5.',
    '1.2.3',
    '1,5',
    '1_000',
    '1e3',
    '0x1F',
    'Infinity',
    'NaN',
    'null',
    '"5"',
    '5 s',
    '5\n',
    '5\u00a0',
    '²',
    '٣٠',
    '５',
  ])('%j is none', (text) => {
    expect(readNumber(text)).toBeUndefined();
  });

  it.each([
    ['seconds from now, below 1e9', 999_999_999, delta(999_999_999_000)],
    ['seconds since 1970 from there', 1e9, instant(1e12)],
    ['and up to there', 99_999_999_999, instant(99_999_999_999_000)],
    ['milliseconds since 1970 from 1e11 on', 1e11, instant(1e11)],
    ['and up to 1e14', 99_999_999_999_999, instant(99_999_999_999_999)],
    ['nothing from there on: nobody can know', 1e14, undefined],
    ['nothing beyond all numbers', Infinity, undefined],
  ])('means %s', (_title, number, value) => {
    expect(readNumberAs(number)).toEqual(value);
  });

  it.each([
    ['s', delta(1_796_040_045_000)],
    ['ms', delta(1_796_040_045)],
    ['epoch-s', instant(1_796_040_045_000)],
    ['epoch-ms', instant(1_796_040_045)],
  ] as const)('means what its unit says, whatever its size: %s', (unit, value) => {
    expect(readNumberAs(1_796_040_045, unit)).toEqual(value);
    expect(readValues(['1796040045'], unit, now)).toEqual([value]);
  });

  it('of seconds since 1970 gets no fraction of a millisecond from floating point', () => {
    for (let ms = 0; ms < 1_000; ms += 1) {
      const text = `1796040064.${String(ms).padStart(3, '0')}`;
      expect(readNumberAs(Number(text))).toEqual(instant(1_796_040_064_000 + ms));
    }
  });
});

describe('white space', () => {
  it.each([
    ['  12 ', '12'],
    ['\t12\t ', '12'],
    ['a b', 'a b'],
    [' \t ', ''],
    ['', ''],
    ['\u00a012', '\u00a012'],
    ['12\r\n', '12\r\n'],
  ])('around %j is cut where it is optional', (text, trimmed) => {
    expect(trim(text)).toBe(trimmed);
  });

  it('in great amounts takes no time', () => {
    const text = `a${' \t'.repeat(1e5)}b`;
    const start = performance.now();
    expect(trim(text)).toBe(text);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('a duration', () => {
  it.each([
    ['20ms', 20],
    ['8.64s', 8_640],
    ['6m0s', 360_000],
    ['1m12.5s', 72_500],
    ['2m59.56s', 179_560],
    ['1h30m', 5_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['1.5h', 5_400_000],
    ['500us', 0.5],
    ['500µs', 0.5],
    ['500000ns', 0.5],
    ['0s', 0],
  ])('%s is one', (text, ms) => {
    const [value] = read(text);
    expect(value?.kind).toBe('delta');
    expect((value as { ms: number }).ms).toBeCloseTo(ms, 9);
  });

  it.each(['s', '5 s', '5S', '-5s', '1m 5s', '1m5', 'PT30S', '5 seconds', '5w', '1,5s5'])(
    '%j is none',
    (text) => {
      expect(read(text)).toEqual(text === '1,5s5' ? [delta(1_000)] : []);
    },
  );

  it('has units of its own, whatever the unit of numbers is', () => {
    expect(readValues(['5s'], 'ms', now)).toEqual([delta(5_000)]);
  });
});

describe('several values', () => {
  const soon = Date.UTC(2026, 10, 30, 12, 0, 5);
  const later = Date.UTC(2026, 10, 30, 12, 0, 50);

  it.each([
    ['of numbers', ['5, 10'], [delta(5_000), delta(10_000)]],
    ['without spaces', ['5,10'], [delta(5_000), delta(10_000)]],
    ['with spaces around', [' 5 , 10 , 20 '], [delta(5_000), delta(10_000), delta(20_000)]],
    ['with tabs', ['5\t,\t10'], [delta(5_000), delta(10_000)]],
    ['on lines', ['5', '10'], [delta(5_000), delta(10_000)]],
    ['on lines of several', ['5, 6', '10'], [delta(5_000), delta(6_000), delta(10_000)]],
    ['with empty ones', [',5,,', ''], [delta(5_000)]],
    ['with malformed ones', ['5, never, -1'], [delta(5_000)]],
    [
      'of dates',
      ['Mon, 30 Nov 2026 12:00:05 GMT, Mon, 30 Nov 2026 12:00:50 GMT'],
      [instant(soon), instant(later)],
    ],
    [
      'of dates without spaces',
      ['Mon, 30 Nov 2026 12:00:05 GMT,Mon, 30 Nov 2026 12:00:50 GMT'],
      [instant(soon), instant(later)],
    ],
    [
      'of dates of RFC 850',
      ['Monday, 30-Nov-26 12:00:05 GMT, Monday, 30-Nov-26 12:00:50 GMT'],
      [instant(soon), instant(later)],
    ],
    [
      'of dates of asctime',
      ['Mon Nov 30 12:00:05 2026, Mon Nov 30 12:00:50 2026'],
      [instant(soon), instant(later)],
    ],
    [
      'of dates of RFC 3339',
      ['2026-11-30T12:00:05Z, 2026-11-30T12:00:50Z'],
      [instant(soon), instant(later)],
    ],
    [
      'of all kinds',
      ['5, Mon, 30 Nov 2026 12:00:50 GMT, 6m0s, 1796040005'],
      [delta(5_000), instant(later), delta(360_000), instant(soon)],
    ],
  ])('are read one by one: %s', (_title, lines, values) => {
    expect(read(...lines)).toEqual(values);
  });
});
