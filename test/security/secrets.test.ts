import { inspect } from 'node:util';
import axios, { AxiosError, type AxiosAdapter, type AxiosRequestConfig } from 'axios';
import { Registry } from 'prom-client';
import {
  CircuitBreakerWithEmitter,
  isBreakerOpenError,
  isBulkheadFullError,
  isTimeoutError,
  queueForRetry,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import { exportMetrics } from '../../src/prometheus/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { outcome } from '../support/rig.js';

const secret = 's3cret';

/** Where a request can carry something that nobody else may see. */
const places: readonly { readonly place: string; readonly config: AxiosRequestConfig }[] = [
  { place: 'the userinfo of its URL', config: { url: `https://me:${secret}@a.example/x` } },
  { place: 'the userinfo of its base URL', config: { baseURL: `https://${secret}@a.example/v1` } },
  {
    place: 'the userinfo of a URL in a URL',
    config: { baseURL: '', url: `blob:https://me:${secret}@a.example/x` },
  },
  { place: 'the query of its URL', config: { url: `/x?token=${secret}` } },
  { place: 'the fragment of its URL', config: { url: `/x#${secret}` } },
  {
    place: 'a URL that is nothing but data',
    config: { baseURL: '', url: `data:text/plain,${secret}` },
  },
  { place: 'its params', config: { params: { token: secret } } },
  { place: 'Authorization', config: { headers: { authorization: `Bearer ${secret}` } } },
  { place: 'Cookie', config: { headers: { cookie: `session=${secret}` } } },
  { place: 'a header of its own', config: { headers: { 'x-api-key': secret } } },
  { place: 'auth', config: { auth: { username: 'me', password: secret } } },
  {
    place: 'the auth of its proxy',
    config: { proxy: { host: 'p.example', port: 1, auth: { username: 'me', password: secret } } },
  },
  { place: 'its body as an object', config: { method: 'post', data: { password: secret } } },
  { place: 'its body as text', config: { method: 'post', data: `password=${secret}` } },
  { place: 'its body as a form', config: { method: 'put', data: new URLSearchParams({ secret }) } },
];

/** What an error can say of the request that it is about. */
const messages: readonly { readonly what: string; readonly message: string }[] = [
  {
    what: 'a URL with userinfo',
    message: `Request cannot be constructed from a URL that includes credentials: http://me:${secret}@a.example/`,
  },
  { what: 'a URL with a query', message: `no answer from https://a.example/x?token=${secret}&a=b` },
  { what: 'a URL with a fragment', message: `no answer from https://a.example/x#${secret}` },
  {
    what: 'a quoted header',
    message: `Headers.append: "Bearer ${secret}\nx" is an invalid header value.`,
  },
  { what: 'a quoted body', message: `Unexpected token 's', "${secret}..." is not valid JSON` },
  {
    what: 'a dump of the request',
    message: `Could not find mock for: \n{ "authorization": ${secret} }`,
  },
];

/** All forms in which somebody may print it. */
const printed = (value: unknown): string[] => [
  String(value),
  JSON.stringify(value),
  JSON.stringify({ ...(value as object) }),
  inspect(value, { depth: Infinity, showHidden: true }),
  String((value as { stack?: unknown }).stack),
  String((value as { message?: unknown }).message),
];

describe('what a breaker shows', () => {
  let clock: ManualClock;
  let registry: Registry;
  let shown: string[];

  function start(adapter: AxiosAdapter, options: CircuitBreakerOptions = {}) {
    clock = new ManualClock();
    registry = new Registry();
    shown = [];
    const client = axios.create({ baseURL: 'https://a.example', adapter });
    const breaker = new CircuitBreakerWithEmitter(client, {
      key: 'origin',
      consecutiveFailures: 1,
      clock,
      ...options,
    });
    exportMetrics(breaker, { registry });
    breaker.on('REFUSE', (event) => shown.push(...printed(event)));
    // The error is the caller's own, handed over as it is.
    breaker.on('OPEN', (event) => shown.push(...printed({ ...event, error: undefined })));
    return { client, breaker };
  }

  async function collect(breaker: CircuitBreakerWithEmitter) {
    for (const key of breaker.keys()) shown.push(...printed(breaker.snapshot(key)));
    shown.push(...breaker.keys(), await registry.metrics());
    return shown.join('\n');
  }

  it.each(places)('holds nothing of $place', async ({ config }) => {
    const silent = () => new Promise<never>(() => undefined);
    const { client, breaker } = start(silent, { requestTimeout: 1_000, maxConcurrent: 1 });

    const late = outcome(client.request({ url: '/', ...config }));
    await outcome(Promise.resolve());
    const full = await outcome(client.request({ url: '/', ...config }));
    clock.advance(1_000);
    const errors = [(await late).error, full.error];
    errors.push((await outcome(client.request({ url: '/', ...config }))).error);
    expect(
      [isTimeoutError, isBulkheadFullError, isBreakerOpenError].map((is, at) => is(errors[at])),
    ).toEqual([true, true, true]);

    shown.push(...errors.flatMap(printed));
    expect(await collect(breaker)).not.toContain(secret);
  });

  it.each(messages)('keeps nothing of an error that shows $what', async ({ message }) => {
    const { client, breaker } = start(() => Promise.reject(new AxiosError(message, 'ECONNRESET')), {
      errorHandler: () => true,
    });

    await outcome(client.get('/'));
    const { error } = await outcome(client.get('/'));
    expect(isBreakerOpenError(error)).toBe(true);
    expect(error).toMatchObject({ cause: { code: 'ECONNRESET' } });
    shown.push(...printed(error));
    expect(await collect(breaker)).not.toContain(secret);
  });
});

describe('what a breaker warns of', () => {
  afterEach(() => jest.restoreAllMocks());
  const headers = { authorization: `Bearer ${secret}` };
  const answer: AxiosAdapter = (config) =>
    Promise.reject(new AxiosError('no', 'ECONNRESET', config));

  it.each<{ what: string; options: CircuitBreakerOptions; config?: object }>([
    ...messages.map(({ what, message }) => ({
      what: `a predicate that shows ${what}`,
      options: {
        errorHandler: () => {
          throw new Error(message);
        },
      },
    })),
    {
      what: 'a key that is a list of headers',
      options: {
        key: ((config: AxiosRequestConfig) => [
          config.headers?.['authorization'] as unknown,
        ]) as () => never,
      },
    },
    { what: 'a key of a request that is no text', options: {}, config: { key: [secret] } },
    { what: 'an option of a request that nobody knows', options: {}, config: { bearer: secret } },
  ])('holds nothing of it: $what', async ({ options, config }) => {
    const emitWarning = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const client = axios.create({ adapter: answer });
    new CircuitBreakerWithEmitter(client, options);

    await outcome(client.get('/', { headers, circuitBreaker: (config ?? {}) as never }));
    expect(emitWarning).toHaveBeenCalledTimes(1);
    expect(inspect(emitWarning.mock.calls)).not.toContain(secret);
  });

  it('holds nothing of a body that cannot be queued', async () => {
    const client = axios.create();
    const breaker = new CircuitBreakerWithEmitter(client, { fallback: queueForRetry(() => 1) });
    breaker.open();
    const transformRequest = () => '';
    const { error } = await outcome(client.post('/', { card: 4111n }, { transformRequest }));
    expect((error as Error).message).toBe('Expected `data` to be plain data, got a bigint at card');
  });
});
