import axios, { AxiosError, CanceledError, type AxiosResponse } from 'axios';
import { Faults } from '../../src/faults.js';
import { RateLimits } from '../../src/http/rate-limits.js';
import { Judge, type ErrorHandler, type ResponseHandler } from '../../src/http/verdict.js';
import { BreakerOpenError, isFailure } from '../../src/index.js';
import { resolveOptions } from '../../src/resolve-options.js';

function judgeWith(errorHandler: ErrorHandler, responseHandler?: ResponseHandler) {
  const faults: [string, unknown][] = [];
  const onFault = (error: unknown, source: string) => void faults.push([source, error]);
  return {
    judge: new Judge(errorHandler, responseHandler, undefined, new Faults(onFault)),
    faults,
  };
}

const refusedBy = new BreakerOpenError(
  { breaker: 'other', key: 'default', config: {} },
  { refused: true, state: 'open', reason: 'manual', retryAfterMs: 0, cause: undefined },
);
const timedOut = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
const notFound = { code: 'ERR_BAD_REQUEST', response: { status: 404 } };
const response = (status: number, more: object = {}) =>
  ({ status, config: {}, ...more }) as AxiosResponse;

describe('a rejected exchange', () => {
  it.each([
    ['that errorHandler takes for a failure', new Error('no'), true, 'failure'],
    ['that it excuses, with an answer', notFound, false, 'success'],
    ['that it excuses, without an answer', new Error('no'), false, 'ignored'],
  ] as const)('%s', (_title, error, answer, verdict) => {
    const { judge } = judgeWith(() => answer);
    expect(judge.judgeError(error, {})).toEqual({ verdict, error });
  });

  it.each([
    ["another breaker's refusal", refusedBy, {}],
    ["the caller's cancellation", new CanceledError(), {}],
    ["the caller's cancellation by signal", new CanceledError(), { signal: AbortSignal.abort() }],
  ])('is ignored for %s, and errorHandler is not asked', (_title, error, config) => {
    const errorHandler = jest.fn(() => true);
    const { judge } = judgeWith(errorHandler);
    expect(judge.judgeError(error, config).verdict).toBe('ignored');
    expect(errorHandler).not.toHaveBeenCalled();
  });

  it('by a deadline of the caller is asked of errorHandler, with the config that old axios leaves off', () => {
    const errorHandler = jest.fn(isFailure);
    const { judge } = judgeWith(errorHandler);
    const error = new CanceledError();
    delete error.config;
    const config = { signal: timedOut };
    expect(judge.judgeError(error, config).verdict).toBe('failure');
    expect(errorHandler).toHaveBeenCalledWith(error);
    expect(error.config).toBe(config);
  });

  it('keeps the config that the error has', () => {
    const { judge } = judgeWith(isFailure);
    const own = { signal: timedOut };
    const error = Object.assign(new CanceledError(), { config: own });
    judge.judgeError(error, { signal: timedOut });
    expect(error.config).toBe(own);
  });

  it('puts no config on other errors', () => {
    const { judge } = judgeWith(isFailure);
    const error = new Error('no');
    judge.judgeError(error, { signal: timedOut });
    expect(error).not.toHaveProperty('config');
  });

  it.each([
    ['truthy', 'yes', 'failure'],
    ['an object', {}, 'failure'],
    ['0', 0, 'success'],
    ['an empty string', '', 'success'],
    ['undefined', undefined, 'success'],
  ])('counts by truthiness: %s', (_title, answer, verdict) => {
    const { judge } = judgeWith(() => answer as boolean);
    expect(judge.judgeError(notFound, {}).verdict).toBe(verdict);
  });
});

describe('a predicate that misbehaves', () => {
  const boom = new Error('boom');
  const throws = () => {
    throw boom;
  };

  it('leaves the decision to isFailure when errorHandler throws, and is reported once', () => {
    const { judge, faults } = judgeWith(throws);
    expect(judge.judgeError(new Error('no'), {}).verdict).toBe('failure');
    expect(judge.judgeError(notFound, {}).verdict).toBe('success');
    expect(faults).toEqual([['errorHandler', boom]]);
  });

  it.each([
    ['resolves', () => Promise.resolve(false)],
    ['rejects', () => Promise.reject(boom)],
  ])('is no answer when errorHandler returns a promise that %s', (_title, handler) => {
    const { judge, faults } = judgeWith(handler as unknown as ErrorHandler);
    expect(judge.judgeError(new Error('no'), {}).verdict).toBe('failure');
    expect(faults).toEqual([
      [
        'errorHandler',
        new TypeError('Expected `errorHandler` to return true or false, got a promise'),
      ],
    ]);
  });

  it('leaves the decision to the status when responseHandler throws', () => {
    const { judge, faults } = judgeWith(() => false, throws);
    expect(judge.judgeResponse(response(200)).verdict).toBe('success');
    expect(judge.judgeResponse(response(503)).verdict).toBe('failure');
    expect(faults).toEqual([['responseHandler', boom]]);
  });
});

describe('a fulfilled exchange', () => {
  it.each([
    [200, 'success'],
    [399, 'success'],
    [404, 'success'],
    [429, 'failure'],
    [500, 'failure'],
    [503, 'failure'],
  ])('with status %d is a %s', (status, verdict) => {
    const { judge } = judgeWith(isFailure);
    expect(judge.judgeResponse(response(status)).verdict).toBe(verdict);
  });

  it.each([
    [400, 'ERR_BAD_REQUEST'],
    [499, 'ERR_BAD_REQUEST'],
    [500, 'ERR_BAD_RESPONSE'],
  ])('with status %d is asked of errorHandler, as the AxiosError that it hid', (status, code) => {
    const errorHandler = jest.fn<boolean, [AxiosError]>(() => true);
    const { judge } = judgeWith(errorHandler);
    const given = response(status, { request: { id: 1 } });
    const { error } = judge.judgeResponse(given);
    expect(errorHandler).toHaveBeenCalledWith(error);
    expect(error).toBeInstanceOf(axios.AxiosError);
    expect(error).toMatchObject({
      message: `Request failed with status code ${status}`,
      code,
      config: given.config,
      request: given.request as object,
      response: given,
    });
  });

  it('below 400 is not asked of errorHandler', () => {
    const errorHandler = jest.fn(() => true);
    const { judge } = judgeWith(errorHandler);
    expect(judge.judgeResponse(response(399)).verdict).toBe('success');
    expect(errorHandler).not.toHaveBeenCalled();
  });

  it('is what responseHandler says, whatever its status', () => {
    const handler = jest.fn(({ data }: AxiosResponse) => data === 'no');
    const { judge } = judgeWith(isFailure, handler);
    expect(judge.judgeResponse(response(200, { data: 'no' }))).toEqual({ verdict: 'failure' });
    expect(judge.judgeResponse(response(503, { data: 'yes' }))).toEqual({ verdict: 'success' });
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'text'],
    ['a cached answer', response(503, { cached: true })],
    ['a fallback answer', response(200, { fallback: 'static' })],
  ])('is ignored for %s', (_title, given) => {
    const { judge } = judgeWith(isFailure, () => true);
    expect(judge.judgeResponse(given)).toEqual({ verdict: 'ignored' });
  });

  it('is judged where a cache says that it is not from there', () => {
    const { judge } = judgeWith(isFailure);
    expect(judge.judgeResponse(response(503, { cached: false })).verdict).toBe('failure');
  });
});

describe('a limit on how often one asks', () => {
  const faults = new Faults(() => undefined);
  const judge = (
    errorHandler: ErrorHandler,
    responseHandler?: ResponseHandler,
    rateLimit: object = {},
  ) => {
    const rules = resolveOptions({ rateLimit }).rateLimit;
    const limits = rules && new RateLimits(rules, () => 0, faults);
    return new Judge(errorHandler, responseHandler, limits, faults);
  };
  const limited = response(429, { headers: { 'retry-after': '7' } });
  const exhausted = response(200, {
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' },
  });
  const byHeader = { waitMs: 7_000, from: 'retry-after', recovery: 'clock' };
  const byQuota = { waitMs: 30_000, from: 'x-ratelimit-reset', recovery: 'clock' };

  it('comes with a rejected exchange that is a failure', () => {
    const error = { response: limited };
    expect(judge(isFailure).judgeError(error, {})).toEqual({
      verdict: 'failure',
      error,
      rateLimit: byHeader,
    });
  });

  it('comes with a fulfilled one that is a failure, by its status or by responseHandler', () => {
    expect(judge(isFailure).judgeResponse(limited)).toMatchObject({
      verdict: 'failure',
      rateLimit: byHeader,
    });
    expect(judge(isFailure, () => true).judgeResponse(limited)).toEqual({
      verdict: 'failure',
      rateLimit: byHeader,
    });
  });

  it('does not come with what errorHandler or responseHandler excuses', () => {
    const error = { response: limited };
    const { rateLimit } = judge(() => false).judgeError(error, {});
    expect(rateLimit).toBeUndefined();
    expect(judge(() => false).judgeResponse(limited)).toEqual({ verdict: 'success' });
    expect(judge(isFailure, () => false).judgeResponse(limited)).toEqual({ verdict: 'success' });
  });

  it('does not come with an error without an answer, or with what is ignored', () => {
    for (const error of [new Error('no'), undefined, null, 'no', { response: null }]) {
      expect(judge(isFailure).judgeError(error, {}).rateLimit).toBeUndefined();
    }
    const error = Object.assign(new CanceledError(), { response: limited });
    expect(judge(isFailure).judgeError(error, {})).toEqual({ verdict: 'ignored', error });
    expect(judge(isFailure).judgeResponse({ ...limited, cached: true })).toEqual({
      verdict: 'ignored',
    });
  });

  it('comes with a success that says that nothing is left, where preempt is set', () => {
    const preempt = { preempt: true };
    const told = { verdict: 'success', rateLimit: byQuota };
    expect(judge(isFailure, undefined, preempt).judgeResponse(exhausted)).toEqual(told);
    expect(judge(isFailure, () => false, preempt).judgeResponse(exhausted)).toEqual(told);
    expect(judge(isFailure).judgeResponse(exhausted)).toEqual({ verdict: 'success' });
  });

  it('is a failure like any other with rateLimit: false', () => {
    const rules = resolveOptions({ rateLimit: false }).rateLimit;
    expect(rules).toBeUndefined();
    const { judge: without } = judgeWith(isFailure);
    expect(without.judgeResponse(limited)).toMatchObject({ verdict: 'failure' });
    expect(without.judgeResponse(limited).rateLimit).toBeUndefined();
  });
});
