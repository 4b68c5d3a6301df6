import { AxiosError, type AxiosResponse, CanceledError } from 'axios';
import { outcomeOfAnswer, outcomeOfError } from '../../src/bullmq/outcome.js';
import { BreakerOpenError, BulkheadFullError, TimeoutError } from '../../src/index.js';

const origin = { breaker: 'orders', key: 'default', config: {} };

const refused = (retryAfterMs: number) =>
  new BreakerOpenError(origin, {
    refused: true,
    state: 'open',
    reason: 'consecutive',
    retryAfterMs,
    cause: undefined,
  });

function failed(status: number, headers: Record<string, string> = {}) {
  const response = { status, headers, data: 'hunter2', config: {} } as AxiosResponse;
  const message = `Request failed with status code ${status}`;
  return new AxiosError(message, undefined, undefined, {}, response);
}

const kindOf = (status: number) => outcomeOfError(failed(status), status).kind;

describe('what comes of a try', () => {
  it('is done with any 2xx', () => {
    for (const status of [200, 201, 202, 204, 299]) {
      expect(outcomeOfAnswer({ status }, status)).toEqual({ kind: 'done', status });
    }
  });

  it('is final where the server will never take it, and nowhere else', () => {
    const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);
    const later = [401, 403, 407, 408, 409, 425, 429];
    const rest = statuses.filter((status) => status < 500 && !later.includes(status));
    expect(statuses.filter((status) => kindOf(status) === 'final')).toEqual(rest);
    expect(statuses.filter((status) => kindOf(status) === 'pause')).toEqual([429]);
    expect(outcomeOfError(failed(422), 422)).toEqual({
      kind: 'final',
      message: 'The server answered 422',
    });
  });

  it.each([
    ['a refusal that states a time', refused(20_000), 20_000],
    ['a refusal of a half-open circuit', refused(0), 0],
    ['a refusal that only a command ends', refused(Infinity), Infinity],
    ['a full bulkhead', new BulkheadFullError(origin), 0],
    ['a 429 that states no time', failed(429), 0],
    ['a 429 that states one', failed(429, { 'retry-after': '7' }), 7_000],
    ['a 403 about rate limits', failed(403, { 'retry-after': '7' }), 7_000],
    ['a 503 that states a time', failed(503, { 'retry-after': '7' }), 7_000],
  ])('is a pause after %s', (_title, error, ms) => {
    expect(outcomeOfError(error, undefined)).toEqual({ kind: 'pause', ms });
  });

  it('is a pause until the end of the second that the server names', () => {
    const date = 'Mon, 30 Nov 2026 12:00:00 GMT';
    const headers = { date, 'retry-after': 'Mon, 30 Nov 2026 12:00:10 GMT' };
    expect(outcomeOfError(failed(429, headers), 429)).toEqual({ kind: 'pause', ms: 11_000 });
  });

  it.each([
    [
      'a refused connection',
      new AxiosError('connect ECONNREFUSED', 'ECONNREFUSED'),
      'No answer: ECONNREFUSED: connect ECONNREFUSED',
    ],
    [
      'a deadline',
      new TimeoutError(origin, 100),
      'No answer: ETIMEDOUT: timeout of 100ms exceeded',
    ],
    ['a cancellation', new CanceledError('canceled'), 'No answer: ERR_CANCELED: canceled'],
    ['an interceptor that threw', new Error('no token'), 'No answer: no token'],
    ['a thrown text', 'no', 'No answer: no'],
    ['a thrown nothing', undefined, 'No answer: undefined'],
    ['a 500', failed(500), 'The server answered 500'],
    ['a 503 that states no time', failed(503), 'The server answered 503'],
    ['a status 0', failed(0), 'No answer: Request failed with status code 0'],
  ])('is another try after %s', (_title, error, message) => {
    expect(outcomeOfError(error, undefined)).toEqual({ kind: 'retry', message });
  });

  it('is another try where a good answer broke off', () => {
    const cut = Object.assign(failed(200), { code: 'ECONNRESET', message: 'aborted' });
    expect(outcomeOfError(cut, undefined)).toEqual({
      kind: 'retry',
      message: 'No answer: ECONNRESET: aborted',
    });
  });

  it('is told by the wire, whatever interceptors make of an answer', () => {
    expect(outcomeOfAnswer({ status: 'shipped' }, 200)).toEqual({ kind: 'done', status: 200 });
    expect(outcomeOfAnswer(undefined, 204)).toEqual({ kind: 'done', status: 204 });
    expect(outcomeOfAnswer({ status: 200 }, 500)).toMatchObject({ kind: 'retry' });
    expect(outcomeOfAnswer({ ok: false }, 422)).toMatchObject({ kind: 'final' });
    expect(outcomeOfError(new Error('replaced'), 422)).toMatchObject({ kind: 'final' });
    expect(outcomeOfError(new Error('replaced'), 429)).toEqual({ kind: 'pause', ms: 0 });
  });

  it('is another try where an interceptor swallowed what was thrown', () => {
    const message = 'No answer of the server';
    expect(outcomeOfAnswer(undefined, undefined)).toEqual({ kind: 'retry', message });
    expect(outcomeOfAnswer({ error: 'down' }, undefined)).toEqual({ kind: 'retry', message });
  });

  it('is done by the answer of an adapter that asks no validateStatus', () => {
    expect(outcomeOfAnswer({ status: 200 }, undefined)).toEqual({ kind: 'done', status: 200 });
  });

  it('is not done by the answer of a fallback', () => {
    const queued = { status: 202, fallback: 'queue' };
    expect(outcomeOfAnswer(queued, undefined)).toMatchObject({ kind: 'retry' });
  });

  it('is not told by the status of an earlier exchange where the last one had no answer', () => {
    const error = new AxiosError('read ECONNRESET', 'ECONNRESET');
    expect(outcomeOfError(error, 422)).toMatchObject({ kind: 'retry' });
  });

  it('tells of nothing that was sent or answered', () => {
    const error = new Error('GET https://me:hunter2@a.example/x?key=hunter2 "hunter2" failed');
    const outcomes = [outcomeOfError(error, undefined), outcomeOfError(failed(500), 500)];
    expect(JSON.stringify(outcomes)).not.toContain('hunter2');
  });
});
