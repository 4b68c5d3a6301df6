import axios, { AxiosError, AxiosHeaders, CanceledError } from 'axios';
import fc from 'fast-check';
import { BreakerOpenError, BulkheadFullError, isFailure, TimeoutError } from '../../src/index.js';
import { hasAnswered } from '../../src/http/is-failure.js';

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Record<string, unknown>;
  readonly validateStatus?: unknown;
}

/** An error as axios makes it of an answer. */
function answered({ status, code, headers = {}, ...config }: Answer): unknown {
  const validateStatus = (accepted: number) => accepted >= 200 && accepted < 300;
  return {
    isAxiosError: true,
    message: `Request failed with status code ${status}`,
    code: code ?? (status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE'),
    config: { validateStatus, ...config },
    response: { status, headers },
  };
}

const unanswered = (code: string | undefined, more: object = {}) =>
  Object.assign(new AxiosError('no answer', code), more);

const origin = { breaker: 'default', key: 'default', config: {} };
const refusal = {
  refused: true,
  state: 'open',
  reason: 'manual',
  retryAfterMs: 0,
  cause: undefined,
} as const;

describe('isFailure: no answer is a failure', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPIPE',
    'EPROTO',
    'ERR_NETWORK',
    'ECONNABORTED',
    'ETIMEDOUT',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'HPE_INVALID_CONSTANT',
    'UND_ERR_SOCKET',
    undefined,
  ])('%s', (code) => {
    expect(isFailure(unanswered(code))).toBe(true);
  });

  it.each([
    ['a TypeError of fetch', new TypeError('terminated')],
    ['a string', 'network down'],
    ['undefined', undefined],
    ['null', null],
    ["a breaker's own deadline", new TimeoutError(origin, 100)],
    [
      'an answer with status 0, as old axios makes it in browsers',
      answered({ status: 0, code: 'ERR_NETWORK' }),
    ],
    ['a status that is no number', { response: { status: '200' } }],
  ])('%s', (_title, error) => {
    expect(isFailure(error)).toBe(true);
  });

  it.each([
    'ECONNABORTED',
    'ETIMEDOUT',
    'ECONNRESET',
    'EPIPE',
    'ERR_NETWORK',
    'ERR_BAD_RESPONSE',
    'Z_DATA_ERROR',
    'Z_BUF_ERROR',
  ])('a body cut or timed out after a status of 200, under the code %s', (code) => {
    const error = answered({ status: 200, code });
    expect(isFailure(error)).toBe(true);
    expect(hasAnswered(error)).toBe(false);
  });

  it.each([
    ['a 404 whose body was cut', answered({ status: 404, code: 'ERR_BAD_RESPONSE' })],
    ['a 404 whose body timed out', answered({ status: 404, code: 'ECONNABORTED' })],
    [
      'a cut body where every status is accepted',
      answered({ status: 302, code: 'ERR_BAD_RESPONSE', validateStatus: null }),
    ],
    [
      'a cut body where validateStatus throws',
      answered({
        status: 302,
        code: 'ERR_BAD_RESPONSE',
        validateStatus: () => {
          throw new Error('no');
        },
      }),
    ],
    [
      'a cut body as axios 0.27 names it',
      unanswered(undefined, { message: 'maxContentLength size of -1 exceeded' }),
    ],
  ])('%s', (_title, error) => {
    expect(isFailure(error)).toBe(true);
    expect(hasAnswered(error)).toBe(false);
  });
});

describe('isFailure: the status of an answer', () => {
  it.each([500, 501, 502, 503, 504, 599, 429])('%d is a failure', (status) => {
    expect(isFailure(answered({ status }))).toBe(true);
    expect(hasAnswered(answered({ status }))).toBe(true);
  });

  it.each([400, 401, 403, 404, 408, 409, 418, 422, 428, 430, 451, 499])('%d is none', (status) => {
    expect(isFailure(answered({ status }))).toBe(false);
    expect(hasAnswered(answered({ status }))).toBe(true);
  });

  it.each([undefined, 'ERR_BAD_RESPONSE'])(
    '304 rejected by status is none, under the code %s',
    (code) => {
      expect(isFailure(answered({ status: 304, ...(code && { code }) }))).toBe(false);
    },
  );

  it.each([
    { 'retry-after': '5' },
    { 'Retry-After': 5 },
    new AxiosHeaders({ 'Retry-After': '5' }),
    { 'x-ratelimit-remaining': '0' },
    { 'X-RateLimit-Remaining': ' 0 ' },
    { 'x-rate-limit-remaining': ['0'] },
    { 'ratelimit-remaining': 0 },
    { ratelimit: '"default";r=0;t=5' },
    { ratelimit: 'limit=10, remaining=0, reset=5' },
  ])('403 with %j is a failure', (headers) => {
    expect(isFailure(answered({ status: 403, headers: headers }))).toBe(true);
  });

  it.each([
    { 'x-ratelimit-remaining': '10' },
    { 'x-ratelimit-remaining': '' },
    { 'retry-after': null },
    { ratelimit: '"default";r=05;t=5' },
    { ratelimit: '"default";r=0.5' },
    { ratelimit: '"default";bar=0' },
    { other: '0' },
  ])('403 with %j is none', (headers) => {
    expect(isFailure(answered({ status: 403, headers }))).toBe(false);
  });

  it('403 without headers is none', () => {
    expect(isFailure({ response: { status: 403 } })).toBe(false);
    expect(isFailure({ response: { status: 403, headers: null } })).toBe(false);
  });
});

describe("isFailure: what is not the server's", () => {
  it.each([
    'ERR_BAD_OPTION',
    'ERR_BAD_OPTION_VALUE',
    'ERR_NOT_SUPPORT',
    'ERR_FR_TOO_MANY_REDIRECTS',
    'ERR_FR_MAX_BODY_LENGTH_EXCEEDED',
    'ERR_BAD_REQUEST',
    'ERR_INVALID_URL',
    'ERR_INVALID_CHAR',
    'ERR_INVALID_PROTOCOL',
    'ERR_UNESCAPED_CHARACTERS',
    'ERR_SOCKET_BAD_PORT',
    'ERR_HTTP_INVALID_HEADER_VALUE',
    'UND_ERR_INVALID_ARG',
  ])('%s before any answer', (code) => {
    expect(isFailure(unanswered(code))).toBe(false);
  });

  it.each([
    [
      'an invalid URL as fetch reports it',
      unanswered('ERR_NETWORK', { cause: { code: 'ERR_INVALID_URL' } }),
    ],
    [
      'too many redirects as fetch reports it',
      unanswered('ERR_NETWORK', { cause: new Error('redirect count exceeded') }),
    ],
    [
      'an invalid URL two causes deep',
      unanswered('ERR_NETWORK', { cause: { cause: { code: 'ERR_INVALID_URL' } } }),
    ],
    [
      'an unknown scheme as fetch reports it',
      unanswered('ERR_NETWORK', { cause: { cause: new Error('unknown scheme') } }),
    ],
    [
      'a URL with a password, which fetch does not take',
      new TypeError(
        'Request cannot be constructed from a URL that includes credentials: http://me:x@a.example/',
      ),
    ],
    [
      'a header that fetch does not take',
      new TypeError('Headers.append: "a\nb" is an invalid header value.'),
    ],
    [
      'a header that is no text to fetch',
      new TypeError(
        'Cannot convert argument to a ByteString because the character at index 6 has a value of 20013 which is greater than 255.',
      ),
    ],
    ['a method that fetch does not know', new TypeError("'GE T' is not a valid HTTP method.")],
    [
      'a limit of the response size',
      unanswered('ERR_BAD_RESPONSE', { message: 'maxContentLength size of 10 exceeded' }),
    ],
    ['a refusal', new BreakerOpenError(origin, refusal)],
    ['a full bulkhead', new BulkheadFullError(origin)],
    ["a caller's cancellation", new CanceledError()],
    [
      "a caller's cancellation by signal",
      Object.assign(new CanceledError(), { config: { signal: AbortSignal.abort() } }),
    ],
  ])('%s', (_title, error) => {
    expect(isFailure(error)).toBe(false);
  });

  it('but a cancellation by a deadline is a timeout', () => {
    const signal = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    expect(isFailure(Object.assign(new CanceledError(), { config: { signal } }))).toBe(true);
  });

  it('tells errors of the real axios apart', async () => {
    const adapterError = await axios.get('foo://bar').catch((error: unknown) => error);
    expect(isFailure(adapterError)).toBe(false);
    const refused = await axios.get('http://127.0.0.1:1/').catch((error: unknown) => error);
    expect(isFailure(refused)).toBe(true);
  });
});

it('isFailure answers true or false, whatever it is asked', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (error, response) => {
      expect(typeof isFailure(error)).toBe('boolean');
      expect(typeof isFailure({ response, config: response, code: error })).toBe('boolean');
      expect(typeof isFailure({ response: { status: 403, headers: response } })).toBe('boolean');
    }),
  );
});
