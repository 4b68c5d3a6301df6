import axios from 'axios';
import {
  BreakerOpenError,
  BulkheadFullError,
  isBreakerOpenError,
  isBulkheadFullError,
  isTimeoutError,
  TimeoutError,
} from '../src/index.js';
import { withoutStack } from '../src/errors.js';

const secrets = {
  headers: { authorization: 'Bearer s3cret' },
  data: { password: 's3cret' },
  params: { token: 's3cret' },
  auth: { username: 'me', password: 's3cret' },
};
const config = {
  method: 'post',
  baseURL: 'https://user:s3cret@api.example.com/v1/',
  url: '/orders?token=s3cret',
  ...secrets,
};
const origin = { breaker: 'orders', key: 'default', config };
const cause = { message: 'busy', code: 'ERR_BAD_REQUEST', status: 429 };
const refusal = {
  refused: true,
  state: 'open',
  reason: 'first-error',
  retryAfterMs: 1_500,
  cause,
} as const;

const open = new BreakerOpenError(origin, refusal);
const full = new BulkheadFullError(origin);
const late = new TimeoutError(origin, 3_000);

describe('a refusal by an open circuit', () => {
  it('is a cancellation of axios that says when to come back', () => {
    expect(open).toBeInstanceOf(Error);
    expect(axios.isCancel(open)).toBe(true);
    expect(axios.isAxiosError(open)).toBe(true);
    expect(open).toMatchObject({
      name: 'BreakerOpenError',
      message: 'Circuit breaker is open',
      code: 'ERR_CANCELED',
      breaker: 'orders',
      key: 'default',
      state: 'open',
      reason: 'first-error',
      retryAfterMs: 1_500,
      cause,
    });
    expect(String(open)).toBe('BreakerOpenError: Circuit breaker is open');
  });

  it('carries a copy of the config that axios-retry leaves alone', () => {
    expect(open.config).toEqual({ ...config, 'axios-retry': { retries: 0 } });
    expect(config).not.toHaveProperty('axios-retry');
    expect(open.config).toBe(open.config);
    const retried = { ...config, 'axios-retry': { retries: 3, retryCount: 1 } };
    expect(new BreakerOpenError({ ...origin, config: retried }, refusal).config).toMatchObject({
      'axios-retry': { retries: 0, retryCount: 1 },
    });
  });

  it('has no cause where no error opened the circuit', () => {
    const error = new BreakerOpenError(origin, { ...refusal, cause: undefined });
    expect('cause' in error).toBe(false);
  });

  it('can be given another config, as plugins do', () => {
    const error = new BreakerOpenError(origin, refusal);
    error.config = { url: '/other' };
    expect(error.config).toEqual({ url: '/other' });
  });

  it('can be rid of its config, and still has a JSON form', () => {
    const error = new BreakerOpenError(origin, refusal);
    Reflect.set(error, 'config', undefined);
    expect(error.config).toBeUndefined();
    expect(error.toJSON()).toMatchObject({ name: 'BreakerOpenError', breaker: 'orders' });
  });
});

describe('the other errors', () => {
  it('are a cancellation for a full bulkhead, and none for a timeout', () => {
    expect(full).toMatchObject({
      name: 'BulkheadFullError',
      code: 'ERR_CANCELED',
      message: 'Bulkhead is full',
    });
    expect(axios.isCancel(full)).toBe(true);
    expect(late).toMatchObject({
      name: 'TimeoutError',
      code: 'ETIMEDOUT',
      message: 'timeout of 3000ms exceeded',
      config,
    });
    expect(axios.isCancel(late)).toBe(false);
    expect(axios.isAxiosError(late)).toBe(true);
  });
});

describe('the guards', () => {
  const guards = { isBreakerOpenError, isBulkheadFullError, isTimeoutError };
  it.each([
    ['isBreakerOpenError', open],
    ['isBulkheadFullError', full],
    ['isTimeoutError', late],
  ] as const)('%s knows its own error alone', (name, own) => {
    const known = [open, full, late].filter((error) => guards[name](error));
    expect(known).toEqual([own]);
  });

  it.each([undefined, null, 'text', 7, new Error('no'), new axios.CanceledError(), {}])(
    'know no other value: %p',
    (value) => {
      expect(Object.values(guards).map((guard) => guard(value))).toEqual([false, false, false]);
    },
  );

  it('know errors of another copy of this package by their brand', () => {
    expect(isBreakerOpenError({ isBreakerOpenError: true })).toBe(true);
    expect(isBreakerOpenError({ isBreakerOpenError: 'yes' })).toBe(false);
  });
});

describe('the JSON form', () => {
  it('says what and where, and holds no secret', () => {
    const place = {
      code: 'ERR_CANCELED',
      breaker: 'orders',
      key: 'default',
      method: 'post',
      origin: 'https://api.example.com',
      path: '/v1/orders',
    };
    expect(open.toJSON()).toEqual({
      name: 'BreakerOpenError',
      message: 'Circuit breaker is open',
      ...place,
      state: 'open',
      reason: 'first-error',
      retryAfterMs: 1_500,
    });
    expect(full.toJSON()).toEqual({
      name: 'BulkheadFullError',
      message: 'Bulkhead is full',
      ...place,
    });
    for (const error of [open, full, late]) expect(JSON.stringify(error)).not.toContain('s3cret');
  });

  it.each([
    ['https://a.example/x?y=1', undefined, {}, { origin: 'https://a.example', path: '/x' }],
    ['//B.example:443/x', 'https://a.example', {}, { origin: 'http://b.example:443', path: '/x' }],
    ['x', 'https://a.example/v1///', {}, { origin: 'https://a.example', path: '/v1/x' }],
    ['https://b.example/x', 'https://a.example', {}, { origin: 'https://b.example', path: '/x' }],
    [
      'https://b.example/x',
      'https://a.example',
      { allowAbsoluteUrls: false },
      { origin: 'https://a.example', path: '/https://b.example/x' },
    ],
    ['/x', undefined, {}, { path: '/x' }],
    ['data:text/plain,s3cret', undefined, {}, {}],
    [undefined, undefined, {}, { path: '/' }],
    ['http://[', undefined, {}, {}],
    [7, 8, {}, { path: '/' }],
  ])('places %p on %p with %j', (url, baseURL, more, place) => {
    const { origin: at, path } = new TimeoutError(
      { ...origin, config: { url, baseURL, ...more } as object },
      1,
    ).toJSON();
    expect({
      ...(at !== undefined && { origin: at }),
      ...(path !== undefined && { path }),
    }).toEqual(place);
  });
});

describe('an error made without a stack', () => {
  it('has none, and leaves the limit for others as it was', () => {
    const before = Error.stackTraceLimit;
    const error = withoutStack(() => new Error('no'));
    expect(error.stack).toBe('Error: no');
    expect(Error.stackTraceLimit).toBe(before);
  });
});
