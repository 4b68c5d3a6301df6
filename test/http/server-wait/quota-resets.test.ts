import { headerFields } from '../../../src/http/server-wait/header-fields.js';
import {
  exhaustedResets,
  isNothingLeft,
  saysNothingLeft,
} from '../../../src/http/server-wait/quota-resets.js';

/** The places where a reset may stand, in the order in which they are asked. */
function resets(headers: object, isLimited = false): string[] {
  return exhaustedResets(headerFields(headers), isLimited).flatMap((reset) =>
    'seconds' in reset ? [`${reset.from} ${reset.seconds}`] : reset.names,
  );
}

const pairs = [
  { reset: 'x-ratelimit-reset-after', remaining: 'x-ratelimit-remaining' },
  { reset: 'ratelimit-reset', remaining: 'ratelimit-remaining' },
  { reset: 'x-ratelimit-reset', remaining: 'x-ratelimit-remaining' },
  { reset: 'x-rate-limit-reset', remaining: 'x-rate-limit-remaining' },
  { reset: 'x-ratelimit-reset-requests', remaining: 'x-ratelimit-remaining-requests' },
  { reset: 'x-ratelimit-reset-tokens', remaining: 'x-ratelimit-remaining-tokens' },
  { reset: 'x-ratelimit-requests-reset', remaining: 'x-ratelimit-requests-remaining' },
  { reset: 'anthropic-ratelimit-tokens-reset', remaining: 'anthropic-ratelimit-tokens-remaining' },
  {
    reset: 'anthropic-ratelimit-input-tokens-reset',
    remaining: 'anthropic-ratelimit-input-tokens-remaining',
  },
];

describe('what is left', () => {
  it.each<[unknown, boolean | undefined]>([
    ['0', true],
    [' 0', true],
    ['0.0', true],
    ['00', true],
    [0, true],
    [['0'], true],
    ['0;w=60', true],
    ['5, 0', true],
    [['5', '0'], true],
    ['never, 0', true],
    ['1', false],
    ['0.5', false],
    [15, false],
    ['76;w=21600', false],
    ['5, 7', false],
    ['', undefined],
    ['-1', undefined],
    ['none', undefined],
    ['false', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('is nothing, by %p: %p', (value, expected) => {
    const fields = headerFields({ 'x-ratelimit-remaining': value });
    expect(isNothingLeft(fields, 'x-ratelimit-remaining')).toBe(expected);
    expect(saysNothingLeft(fields)).toBe(expected === true);
  });

  it.each(pairs)('may be said by $remaining', ({ remaining }) => {
    expect(saysNothingLeft(headerFields({ [remaining]: '0' }))).toBe(true);
    expect(saysNothingLeft(headerFields({ [remaining]: '1' }))).toBe(false);
  });

  it.each([
    'x-hubspot-ratelimit-remaining',
    'x-ratelimit-remaining2',
    'my-ratelimit-remaining',
    'ratelimit-limit',
    'x-remaining',
    'x-ratelimit-reset',
  ])('is not said by %s', (name) => {
    expect(saysNothingLeft(headerFields({ [name]: '0' }))).toBe(false);
  });

  it.each([
    ['"default";r=0', true],
    ['"a";r=5, "b";r=0;t=9', true],
    ['limit=10, remaining=0', true],
    ['"default";r=5;t=9', false],
    ['"default";t=9', false],
    ['limit=10, remaining=4, reset=9', false],
    ['"default";r=0,', false],
    ['"default";r="0"', false],
    ['', false],
  ])('is nothing, by the RateLimit field %j: %p', (field, expected) => {
    expect(saysNothingLeft(headerFields({ ratelimit: field }))).toBe(expected);
  });
});

describe('a reset', () => {
  it.each(pairs)('$reset is asked when $remaining is 0', ({ reset, remaining }) => {
    expect(resets({ [reset]: '5', [remaining]: '0' })).toContain(reset);
    expect(resets({ [reset]: '5', [remaining]: '1' }, true)).not.toContain(reset);
    expect(resets({ [reset]: '5', [remaining]: '1' })).not.toContain(reset);
  });

  it.each(['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'])(
    '%s is asked where nothing tells what remains and the status does',
    (reset) => {
      expect(resets({ [reset]: '5' }, true)).toContain(reset);
      expect(resets({ [reset]: '5' }, false)).not.toContain(reset);
    },
  );

  it.each(['x-ratelimit-reset-requests', 'x-ratelimit-requests-reset'])(
    '%s is never asked where nothing tells what remains',
    (reset) => {
      expect(resets({ [reset]: '5' }, true)).not.toContain(reset);
    },
  );

  it('is asked of its own pair alone', () => {
    expect(resets({ 'ratelimit-reset': '5', 'x-ratelimit-remaining': '0' })).not.toContain(
      'ratelimit-reset',
    );
    expect(
      resets({ 'x-ratelimit-reset-requests': '5', 'x-ratelimit-remaining-tokens': '0' }),
    ).not.toContain('x-ratelimit-reset-requests');
  });

  it('is looked for in one order', () => {
    const headers = Object.fromEntries(
      pairs.flatMap(({ reset, remaining }) => [
        [reset, '5'],
        [remaining, '0'],
      ]),
    );
    expect(resets({ ...headers, ratelimit: '"a";r=0;t=7' })).toEqual([
      'ratelimit 7',
      ...pairs.map(({ reset }) => reset),
    ]);
  });
});

describe('the RateLimit field', () => {
  it.each([
    ['"default";r=0;t=5', 5],
    ['default; r=0; t=9; pk=:dHJpYWw=:', 9],
    ['"perday";r=0;t=3600, "permin";r=0;t=12', 3_600],
    ['"permin";r=0;t=12, "perday";r=0;t=3600', 3_600],
    ['"permin";r=0;t=12, "perday";r=5;t=3600', 12],
    ['"permin";r=0, "perday";r=0;t=3600', 3_600],
    ['"a";r=0;t=20.0', 20],
    ['limit=100, remaining=0, reset=33', 33],
    ['remaining=0,reset=33', 33],
    ['limit=100;w=60, remaining=0;x=1, reset=33;y=2', 33],
  ])('%j is used up for so many seconds: %d', (field, seconds) => {
    expect(resets({ ratelimit: field })).toEqual([`ratelimit ${seconds}`]);
  });

  it('may be given on several lines', () => {
    expect(resets({ ratelimit: ['"a";r=0;t=5', '"b";r=0;t=9'] })).toEqual(['ratelimit 9']);
    expect(resets({ ratelimit: ['limit=100', 'remaining=0', 'reset=33'] })).toEqual([
      'ratelimit 33',
    ]);
  });

  it.each([
    '"default";r=0',
    '"default";r=0;t=0',
    '"default";r=0;t=-5',
    '"default";r=0;t=1.5',
    '"default";r=0;t="5"',
    '"default";r=1;t=5',
    '"default";r;t=5',
    '"default";t=5',
    '"default";r=0;t=5,',
    '"default;r=0;t=5',
    '"default";R=0;T=5',
    'limit=100, remaining=4, reset=33',
    'limit=100, remaining=0',
    'limit=100, remaining=0, reset=0',
    'limit=100, remaining=0, reset=1.5',
    'remaining=0 reset=33',
    '',
  ])('%j says no time', (field) => {
    expect(resets({ ratelimit: field }, true)).not.toContain('ratelimit');
    expect(resets({ ratelimit: field })).toEqual([]);
  });

  it('of very many members is read as well', () => {
    const line = `${'a;r=0,'.repeat(1_360)}b;r=0;t=7`;
    expect(resets({ ratelimit: Array.from({ length: 100 }, () => line) })).toEqual(['ratelimit 7']);
  });
});
