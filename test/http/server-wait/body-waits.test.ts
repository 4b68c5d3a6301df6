import type { AxiosResponse } from 'axios';
import fc from 'fast-check';
import {
  awsRetryAfter,
  discordRetryAfter,
  googleRetryInfo,
  matrixRetryAfter,
  telegramRetryAfter,
} from '../../../src/index.js';

const hooks = [
  { hook: telegramRetryAfter, path: ['parameters', 'retry_after'], unit: 1_000 },
  { hook: discordRetryAfter, path: ['retry_after'], unit: 1_000 },
  { hook: matrixRetryAfter, path: ['retry_after_ms'], unit: 1 },
  { hook: awsRetryAfter, path: ['retryAfterSeconds'], unit: 1_000 },
];
const respond = (data: unknown) => ({ status: 429, data }) as AxiosResponse;
const nest = (path: readonly string[], value: unknown) =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

describe.each(hooks)('$hook.name', ({ hook, path, unit }) => {
  const read = (value: unknown) => hook(respond(nest(path, value)));

  it('reads whole ms, rounded up', () => {
    expect(read(35)).toBe(35 * unit);
    expect(read(1.3371)).toBe(Math.ceil(1.3371 * unit));
    expect(read(0.0001)).toBe(1);
    expect(read(1.1)).toBe(Math.ceil(1.1 * unit - 0.001));
  });

  it.each([0, -1, NaN, Infinity, '35', null, undefined, true, [35], {}])(
    'says nothing where %p stands there',
    (value) => {
      expect(read(value)).toBeUndefined();
    },
  );

  it.each([undefined, null, '', 'text', 5, [], {}, { parameters: null }, { error: 'slow down' }])(
    'says nothing of another body: %p',
    (data) => {
      expect(hook(respond(data))).toBeUndefined();
    },
  );

  it('reads nothing of a prototype', () => {
    expect(hook(respond(Object.create(nest(path, 35) as object)))).toBeUndefined();
  });
});

describe('googleRetryInfo', () => {
  const detail = (retryDelay: unknown) => ({
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay,
  });
  const read = (...details: unknown[]) => googleRetryInfo(respond({ error: { details } }));

  it('reads whole ms, rounded up', () => {
    expect(read(detail('34s'))).toBe(34_000);
    expect(read(detail('34.0748s'))).toBe(34_075);
    expect(read(detail('0.000000001s'))).toBe(1);
    expect(read(detail('1.100s'))).toBe(1_100);
  });

  it('finds it among other details, and takes the longest', () => {
    const help = { '@type': 'type.googleapis.com/google.rpc.Help', links: [] };
    expect(read(help, detail('34s'), null, 'text', detail('50s'), detail('2s'))).toBe(50_000);
  });

  it.each(['0s', '-5s', '34', '34 s', 's', '1m', '34s34s', 34, null, undefined, {}])(
    'says nothing where %p stands there',
    (retryDelay) => {
      expect(read(detail(retryDelay))).toBeUndefined();
    },
  );

  it.each([
    {},
    { error: null },
    { error: 'RESOURCE_EXHAUSTED' },
    { error: {} },
    { error: { details: 'retryDelay: 34s' } },
    { error: { details: { retryDelay: '34s' } } },
    { error: { details: [] } },
    { error: { details: [[]] } },
    { details: [detail('34s')] },
  ])('says nothing of another body: %j', (data) => {
    expect(googleRetryInfo(respond(data))).toBeUndefined();
  });

  it('reads a body of very many details', () => {
    const details = Array.from({ length: 300_000 }, () => detail('1s'));
    expect(read(...details.slice(0, 10))).toBe(1_000);
    expect(googleRetryInfo(respond({ error: { details } }))).toBe(1_000);
  });
});

describe('no hook', () => {
  it('throws or gives anything but a wait, whatever the body', () => {
    const all = [...hooks.map(({ hook }) => hook), googleRetryInfo];
    const names = ['error', 'details', 'retryDelay', 'parameters', 'retry_after', 'retry_after_ms'];
    const body = fc.letrec((tie) => ({
      any: fc.oneof(
        fc.anything({ withNullPrototype: true }),
        fc.constantFrom('34s', 1e308, -0),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 3 }),
      ),
    })).any;
    fc.assert(
      fc.property(body, (data) => {
        for (const hook of all) {
          const ms = hook(respond(data));
          expect(ms === undefined || ms > 0).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
