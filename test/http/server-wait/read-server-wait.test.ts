import { AxiosHeaders } from 'axios';
import fc from 'fast-check';
import { readServerWait, type ServerWait, type ServerWaitOptions } from '../../../src/index.js';
import { readExhaustedQuota } from '../../../src/http/server-wait/read-server-wait.js';

const noon = Date.UTC(2026, 10, 30, 12);
const day = 86_400_000;
const date = new Date(noon).toUTCString();
const epoch = (seconds: number) => String(noon / 1_000 + seconds);

type Headers = Readonly<Record<string, unknown>>;

/** `30000 retry-after`: what is read, and where. */
function read(headers: unknown, status: unknown = 429, options: ServerWaitOptions = {}) {
  return asText(readServerWait({ status, headers }, { now: noon, ...options }));
}

function asText(wait: ServerWait | undefined): string | undefined {
  return wait && `${wait.ms} ${wait.from}`;
}

describe('of an answer', () => {
  it.each([400, 403, 409, 413, 420, 429, 500, 503, 529, 599, 999])(
    'with status %d, Retry-After is read',
    (status) => {
      expect(read({ 'retry-after': '5' }, status)).toBe('5000 retry-after');
    },
  );

  it.each([100, 200, 202, 204, 301, 302, 304, 307, 399, 0, NaN, '429', undefined, null, {}, [429]])(
    'with status %p, nothing is read',
    (status) => {
      const exhausted = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch(5) };
      // Not `undefined` as an argument, which stands for the default.
      const answer = { status, headers: { 'retry-after': '5', ...exhausted } };
      expect(readServerWait(answer)).toBeUndefined();
    },
  );

  it.each([undefined, null, 5, 'answer', {}, { status: 429 }, { status: 429, headers: null }])(
    'that is %p, nothing is read',
    (answer) => {
      expect(readServerWait(answer as never)).toBeUndefined();
    },
  );

  it('the time of the reading is now, where it is not given', () => {
    const soon = Math.ceil(Date.now() / 1_000) + 60;
    const { ms = 0 } = readServerWait({ status: 429, headers: { 'retry-after': soon } }) ?? {};
    expect(ms).toBeGreaterThan(58_000);
    expect(ms).toBeLessThanOrEqual(61_000);
  });

  it('a whole second is told', () => {
    expect(readServerWait({ status: 429, headers: { 'retry-after': '5' } })).toEqual({
      ms: 5_000,
      from: 'retry-after',
      isWholeSecond: false,
    });
    const headers = { date, 'retry-after': new Date(noon + 5_000).toUTCString() };
    expect(readServerWait({ status: 429, headers })).toMatchObject({ isWholeSecond: true });
  });

  it.each([
    ['AxiosHeaders', new AxiosHeaders({ 'Retry-After': '5' })],
    ['Headers', new Headers({ 'Retry-After': '5' })],
    ['capitals', { 'RETRY-AFTER': '5' }],
    ['a number', { 'retry-after': 5 }],
    ['a list', { 'retry-after': ['4', '5'] }],
    ['two cases', { 'Retry-After': '5', 'retry-after': '4' }],
  ])('the headers may come as %s', (_title, headers) => {
    expect(read(headers)).toBe('5000 retry-after');
  });

  it('is taken as fetch gives it, too', () => {
    const answer = new Response(null, { status: 503, headers: { 'Retry-After': '5' } });
    expect(readServerWait(answer)?.ms).toBe(5_000);
  });
});

describe('the order of headers', () => {
  const inOrder: readonly Headers[] = [
    { 'retry-after-ms': '11000' },
    { 'x-ms-retry-after-ms': '12000' },
    { 'x-amz-retry-after': '13000' },
    { 'retry-after': '14' },
    { 'x-ratelimit-reset-after': '15' },
    { 'x-ratelimit-retry-after': '16' },
    { 'x-retry-in': '17s' },
    { ratelimit: '"default";r=0;t=18' },
    { 'ratelimit-remaining': '0', 'ratelimit-reset': '19' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '20' },
    { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '21' },
    { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '22s' },
  ];
  const cases = inOrder.map((headers, index) => ({
    from: Object.keys(headers).at(-1) ?? '',
    headers,
    ms: 11_000 + 1_000 * index,
    before: Object.assign({}, ...inOrder.slice(index)) as Headers,
  }));

  it.each(cases)('$from is read', ({ from, headers, ms }) => {
    expect(read(headers)).toBe(`${ms} ${from}`);
    expect(read(headers, 503)).toBe(`${ms} ${from}`);
  });

  it.each(cases)('$from goes before all that follow it', ({ from, ms, before }) => {
    expect(read(before)).toBe(`${ms} ${from}`);
    const shuffled = Object.fromEntries(Object.entries(before).reverse());
    expect(read(shuffled)).toBe(`${ms} ${from}`);
  });

  it.each(cases.slice(0, 7))('a malformed $from hides nothing', ({ from, before }) => {
    const [next] = cases.filter((other) => other.before[from] === undefined);
    expect(read({ ...before, [from]: 'soon' })).toBe(next && `${next.ms} ${next.from}`);
  });

  it.each(cases.slice(0, 7))('a $from of 0 hides nothing', ({ from, before }) => {
    const [next] = cases.filter((other) => other.before[from] === undefined);
    expect(read({ ...before, [from]: '0' })).toBe(next && `${next.ms} ${next.from}`);
  });

  it.each(cases.slice(0, 7))('a $from of 0 is an answer where there is no other', ({ from }) => {
    expect(read({ [from]: '0' })).toBe(`0 ${from}`);
    expect(read({ [from]: '0', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '9' })).toBe(
      from === 'x-ratelimit-reset-after' ? undefined : `0 ${from}`,
    );
  });

  it('the first of several zeros is named', () => {
    expect(read({ 'retry-after-ms': '0', 'retry-after': '0' })).toBe('0 retry-after-ms');
  });

  it.each(cases.slice(7))('a $from of 0 says nothing', ({ headers, from }) => {
    const value = from === 'ratelimit' ? '"default";r=0;t=0' : '0';
    expect(read({ ...headers, [from]: value })).toBeUndefined();
    expect(read({ ...headers, [from]: from === 'ratelimit' ? value : date })).toBeUndefined();
  });

  it('of the families the longest of what is used up counts, whatever the family', () => {
    expect(
      read({
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '20ms',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '1m12.5s',
        'x-ratelimit-images-remaining': '0',
        'x-ratelimit-images-reset': '80',
        'x-ratelimit-remaining-search': '5',
        'x-ratelimit-reset-search': '1h',
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-11-30T12:01:15Z',
      }),
    ).toBe('80000 x-ratelimit-images-reset');
  });
});

describe('headers of your own', () => {
  it('go before all others, in their order and in any case', () => {
    const headers = { 'x-wait': '5', 'x-pause': '7', 'retry-after-ms': '1' };
    expect(read(headers, 429, { headers: ['X-Pause', 'x-wait'] })).toBe('7000 x-pause');
    expect(read(headers, 429, { headers: ['x-none', 'x-wait'] })).toBe('5000 x-wait');
    expect(read(headers, 429, { headers: [] })).toBe('1 retry-after-ms');
  });

  it('have units', () => {
    const options = { headers: ['X-Wait'], units: { 'X-Wait': 'ms' } } as const;
    expect(read({ 'x-wait': '5000' }, 429, options)).toBe('5000 x-wait');
  });

  it('are no gate for others, zero or malformed', () => {
    const options = { headers: ['x-wait'] };
    expect(read({ 'x-wait': '0', 'retry-after': '5' }, 429, options)).toBe('5000 retry-after');
    expect(read({ 'x-wait': 'later', 'retry-after': '5' }, 429, options)).toBe('5000 retry-after');
    expect(read({ 'x-wait': '0' }, 429, options)).toBe('0 x-wait');
  });
});

describe('a quota', () => {
  const reset = { 'x-ratelimit-reset': epoch(60), date };

  it.each([400, 403, 429, 500, 503])('used up is read with status %d', (status) => {
    expect(read({ ...reset, 'x-ratelimit-remaining': '0' }, status)).toBe(
      '60000 x-ratelimit-reset',
    );
  });

  it.each([400, 403, 429, 503])('of which something is left is not, with status %d', (status) => {
    expect(read({ ...reset, 'x-ratelimit-remaining': '4' }, status)).toBeUndefined();
  });

  it('that tells only its reset is read with status 429', () => {
    expect(read(reset, 429)).toBe('60000 x-ratelimit-reset');
    expect(read(reset, 403)).toBeUndefined();
    expect(read(reset, 503)).toBeUndefined();
  });

  it('that tells malformed remains counts as one that tells only its reset', () => {
    expect(read({ ...reset, 'x-ratelimit-remaining': 'n/a' }, 429)).toBe('60000 x-ratelimit-reset');
    expect(read({ ...reset, 'x-ratelimit-remaining': 'n/a' }, 503)).toBeUndefined();
  });

  it('of which something is left did not refuse: its time to the reset is not read', () => {
    const discord = { 'x-ratelimit-reset-after': '64.57' };
    expect(read({ ...discord, 'x-ratelimit-remaining': '0' })).toBe(
      '64570 x-ratelimit-reset-after',
    );
    expect(read({ ...discord, 'x-ratelimit-remaining': '3' })).toBeUndefined();
    expect(read({ ...discord, 'x-ratelimit-remaining': '3' }, 500)).toBeUndefined();
    expect(read(discord)).toBe('64570 x-ratelimit-reset-after');
  });

  it('of an answer that a cache kept is of another time', () => {
    const exhausted = { ...reset, 'x-ratelimit-remaining': '0' };
    expect(read({ ...exhausted, age: '1' })).toBeUndefined();
    expect(read({ ...exhausted, age: '0' })).toBe('60000 x-ratelimit-reset');
    expect(read({ ratelimit: '"default";r=0;t=5', age: '30' })).toBeUndefined();
    expect(read({ ...exhausted, age: '1', 'retry-after': '5' })).toBe('5000 retry-after');
  });

  it('that disagrees with Retry-After has nothing to say', () => {
    expect(read({ ...reset, 'x-ratelimit-remaining': '0', 'retry-after': '5' })).toBe(
      '5000 retry-after',
    );
    expect(read({ ratelimit: '"default";r=15;t=40', 'retry-after': '20' })).toBe(
      '20000 retry-after',
    );
  });

  it('may tell its reset as seconds from now, an instant, a date or a duration', () => {
    const remaining = { 'x-ratelimit-remaining': '0', date };
    for (const value of ['60', 60, epoch(60), `${noon + 60_000}`, '1m', '2026-11-30T12:01Z']) {
      expect(read({ ...remaining, 'x-ratelimit-reset': value })).toBe('60000 x-ratelimit-reset');
    }
  });

  it('is in the common unit unless told otherwise, family by family', () => {
    const units = { 'x-ratelimit-reset-requests': 'ms', ratelimit: 'ms' } as const;
    const requests = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '9' };
    expect(read(requests)).toBe('9000 x-ratelimit-reset-requests');
    expect(read(requests, 429, { units })).toBe('9 x-ratelimit-reset-requests');
    expect(read({ ratelimit: '"a";r=0;t=9' }, 429, { units })).toBe('9 ratelimit');
  });
});

describe('a unit', () => {
  it('in milliseconds is that of the headers that say so, unless told otherwise', () => {
    for (const name of ['retry-after-ms', 'x-ms-retry-after-ms', 'x-amz-retry-after']) {
      expect(read({ [name]: '1234.5' })).toBe(`1235 ${name}`);
      expect(read({ [name]: '5' }, 429, { units: { [name]: 's' } })).toBe(`5000 ${name}`);
    }
  });

  it('tells what cannot be known from a number alone', () => {
    const tenMinutes = { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '600000' };
    expect(read(tenMinutes)).toBe(`${day} x-rate-limit-reset`);
    expect(read(tenMinutes, 429, { units: { 'X-Rate-Limit-Reset': 'ms' } })).toBe(
      '600000 x-rate-limit-reset',
    );
  });
});

describe('a successful answer', () => {
  const readQuota = (headers: unknown) =>
    asText(readExhaustedQuota({ status: 200, headers }, { now: noon }));

  it.each<[Headers, string]>([
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch(60), date }, 'x-ratelimit-reset'],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '60' }, 'ratelimit-reset'],
    [{ 'x-rate-limit-remaining': 0, 'x-rate-limit-reset': 60 }, 'x-rate-limit-reset'],
    [{ ratelimit: '"default";r=0;t=60' }, 'ratelimit'],
    [{ ratelimit: 'limit=10, remaining=0, reset=60' }, 'ratelimit'],
    [
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '60.0' },
      'x-ratelimit-reset-after',
    ],
    [
      { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m0s' },
      'x-ratelimit-reset-tokens',
    ],
  ])('tells when a quota that is used up is filled again: %j', (headers, from) => {
    expect(readQuota(headers)).toBe(`60000 ${from}`);
  });

  it.each<[Headers]>([
    [{}],
    [{ 'retry-after': '60' }],
    [{ 'x-ratelimit-remaining': '0' }],
    [{ 'x-ratelimit-reset': '60' }],
    [{ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '60' }],
    [{ 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '60' }],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' }],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60', age: '5' }],
    [{ 'x-ratelimit-reset-after': '60' }],
    [{ ratelimit: '"default";r=1;t=60' }],
  ])('tells nothing with %j', (headers) => {
    expect(readQuota(headers)).toBeUndefined();
  });
});

describe('no input whatever', () => {
  const names = [
    'retry-after',
    'Retry-After',
    'retry-after-ms',
    'x-amz-retry-after',
    'x-ratelimit-reset-after',
    'x-retry-in',
    'ratelimit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-ratelimit-remaining-tokens',
    'x-ratelimit-reset-tokens',
    'anthropic-ratelimit-requests-remaining',
    'anthropic-ratelimit-requests-reset',
    'date',
    'age',
  ];
  const digits = fc.stringMatching(/^\d{1,30}(\.\d{1,30})?$/);
  const alphabet = fc.constantFrom(
    ...Array.from('0123456789.,;:=-+ \t"rtGMTZdhmsu%?@()\u00b5\u0663'),
  );
  const text = fc.oneof(
    digits,
    fc.string({ unit: alphabet, maxLength: 40 }),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.date().map((any) => (Number.isNaN(any.getTime()) ? 'Invalid Date' : any.toUTCString())),
    fc.date({ noInvalidDate: true }).map((any) => any.toISOString()),
    digits.map((seconds) => `"default";r=0;t=${seconds}`),
    fc.tuple(digits, fc.constantFrom('h', 'ms', 'ns')).map(([amount, unit]) => amount + unit),
    fc.tuple(alphabet, fc.integer({ min: 1, max: 9_000 })).map(([one, n]) => one.repeat(n)),
    fc.constantFrom('0', '9'.repeat(400), '9'.repeat(400) + 'h', '-0', '1e400'),
  );
  const value = fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 2, arbitrary: fc.array(text, { maxLength: 4 }) },
    fc.double(),
    fc.bigInt(),
    fc.anything({ withNullPrototype: true, withSparseArray: true }),
  );
  const headers = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 }),
    },
    fc.dictionary(fc.string(), value),
    fc.anything({ withNullPrototype: true, withMap: true, withSet: true, withTypedArray: true }),
  );
  const status = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(429, 403, 503, 400, 200) },
    fc.anything({ withNullPrototype: true }),
  );
  const options = fc.record(
    {
      maxWait: fc.oneof(fc.integer({ min: 1, max: 1e12 }), fc.double({ min: 0.001, max: 1e12 })),
      units: fc.dictionary(
        fc.constantFrom(...names),
        fc.constantFrom('s', 'ms', 'epoch-s', 'epoch-ms'),
      ),
      headers: fc.array(fc.constantFrom('x-own', 'date', 'age')),
      now: fc.oneof(fc.integer(), fc.constantFrom(0, noon, NaN, Infinity, -1e15)),
    },
    { requiredKeys: [] },
  );

  function expectWait(wait: ServerWait | undefined, cap: number): void {
    if (wait === undefined) return;
    expect(Number.isInteger(wait.ms)).toBe(true);
    expect(Object.is(wait.ms, -0)).toBe(false);
    expect(wait.ms).toBeGreaterThanOrEqual(0);
    expect(wait.ms).toBeLessThanOrEqual(cap);
    expect(wait.from).toBe(wait.from.toLowerCase());
  }

  it('gives NaN, a negative, a fraction, more than the cap, or an exception', () => {
    fc.assert(
      fc.property(status, headers, options, (givenStatus, givenHeaders, given) => {
        const response = { status: givenStatus, headers: givenHeaders };
        const cap = given.maxWait ?? day;
        expectWait(readServerWait(response, given), cap);
        expectWait(readServerWait({ ...response, status: 429 }), day);
        expectWait(readExhaustedQuota(response, given), cap);
      }),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 3_000) },
    );
  });

  it('takes long, however huge it is', () => {
    const huge = [' ', ',', '5,', '1m', '9', '(', '"', '\\"', ';r=0', 'a;r=0;t=1,', 'Mon, 30 Nov '];
    const start = performance.now();
    for (const one of huge) {
      const line = one.repeat(Math.floor(8_192 / one.length));
      const everywhere = Object.fromEntries(names.map((name) => [name, line]));
      expectWait(readServerWait({ status: 429, headers: everywhere }), day);
    }
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
