import axios, { type AxiosHeaders, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import axiosRetry from 'axios-retry';
import {
  CircuitBreakerWithEmitter,
  degrade,
  fallbackResponse,
  firstOf,
  isBreakerOpenError,
  isBulkheadFullError,
  staticFallback,
  type CircuitBreakerOptions,
  type FallbackObserver,
} from '../src/index.js';
import { ManualClock } from '../src/testing/index.js';

/** A client whose server always answers with this status. */
function setUp(options: CircuitBreakerOptions, status = 200) {
  const adapter = jest.fn((config: AxiosRequestConfig) => {
    const response = { status, statusText: '', headers: {}, data: '"raw"', config };
    const error = Object.assign(new Error(`status ${status}`), {
      isAxiosError: true,
      config,
      response,
    });
    return status < 400 ? Promise.resolve(response) : Promise.reject(error);
  });
  const client = axios.create({ adapter: adapter as never });
  const breaker = new CircuitBreakerWithEmitter(client, { consecutiveFailures: 99, ...options });
  const told: unknown[] = [];
  breaker.on('FALLBACK', (event) => told.push(event));
  return { adapter, client, breaker, told };
}

describe('the fallback of a refusal', () => {
  it('is a response like a real one, that says where it comes from', async () => {
    const { adapter, client, breaker, told } = setUp({ fallback: staticFallback({ items: [] }) });
    breaker.open();
    const response = await client.get('/x');
    expect(response).toMatchObject({
      data: { items: [] },
      status: 200,
      fallback: 'static',
      config: { url: '/x' },
    });
    expect(adapter).not.toHaveBeenCalled();
    expect(told).toEqual([
      { key: 'default', error: expect.objectContaining({ name: 'BreakerOpenError' }) as Error },
    ]);
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 0, refused: 1 });
  });

  it.each([[null], [0], [''], [false], [undefined], ['{"not":"parsed"}']])(
    'may be %p, and is not transformed',
    async (data) => {
      const { client, breaker } = setUp({ fallback: () => data });
      breaker.open();
      const { data: got } = await client.get<unknown>('/x');
      expect(got).toBe(data);
    },
  );

  it('leaves the config as it was', async () => {
    const { client, breaker } = setUp({ fallback: staticFallback('text') });
    const transformResponse = [(data: unknown) => ({ made: data })];
    breaker.open();
    const { config } = await client.get('/x', { transformResponse });
    expect(config.transformResponse).toEqual(transformResponse);
    breaker.close();
    expect((await client.request(config)).data).toEqual({ made: '"raw"' });
  });

  it('is not transformed either where somebody wraps the adapter', async () => {
    const { client, breaker } = setUp({ fallback: staticFallback('12') });
    client.interceptors.request.use((config) => {
      const guard = config.adapter as (given: unknown) => Promise<never>;
      config.adapter = async (given) => guard(given);
      return config;
    });
    new CircuitBreakerWithEmitter(client, { requestTimeout: 1_000 });
    breaker.open();
    expect((await client.get<unknown>('/x')).data).toBe('12');
  });

  it('can have a status and headers of its own', async () => {
    const { client, breaker } = setUp({
      fallback: () => fallbackResponse({ data: 1, status: 203, headers: { 'x-degraded': 'yes' } }),
    });
    breaker.open();
    const { data, status, headers } = await client.get<number>('/x');
    expect([data, status, headers['x-degraded']]).toEqual([1, 203, 'yes']);
  });

  it('passes every response interceptor, in any order of registration', async () => {
    const adapter = () => Promise.reject(new Error('not to be sent'));
    const client = axios.create({ adapter });
    const seen: string[] = [];
    const see = (name: string) => (response: AxiosResponse) => {
      seen.push(`${name} ${String(response.data)}`);
      return response;
    };
    client.interceptors.response.use(see('before'));
    const breaker = new CircuitBreakerWithEmitter(client, { fallback: staticFallback('instead') });
    client.interceptors.response.use(see('after'));
    breaker.open();
    await client.get('/x');
    expect(seen).toEqual(['before instead', 'after instead']);
  });

  it('that throws is what the caller gets, with the refusal as its cause', async () => {
    const thrown = new Error('no fallback either');
    const { client, breaker, told } = setUp({ fallback: () => Promise.reject(thrown) });
    breaker.open();
    await expect(client.get('/x')).rejects.toBe(thrown);
    expect(isBreakerOpenError(thrown.cause)).toBe(true);
    expect(told).toEqual([]);
  });

  it.each([
    ['has a cause of its own', Object.assign(new Error('no'), { cause: 'mine' })],
    ['cannot be written to', Object.freeze(new Error('no'))],
    ['is no object', 'no'],
  ])('that throws what %s leaves it as it is', async (_title, thrown) => {
    const fallback = () => {
      throw thrown as Error;
    };
    const { client, breaker } = setUp({ fallback });
    breaker.open();
    await expect(client.get('/x')).rejects.toBe(thrown);
  });

  it('that has no answer leaves the refusal', async () => {
    const { client, breaker } = setUp({ fallback: { answer: () => Promise.resolve(undefined) } });
    breaker.open();
    const error: unknown = await client.get('/x').catch((reason: unknown) => reason);
    expect(isBreakerOpenError(error)).toBe(true);
  });

  it('that never settles holds no slot', async () => {
    const { client, breaker } = setUp({
      fallback: () => new Promise(() => undefined),
      maxConcurrent: 1,
    });
    breaker.open();
    void client.get('/x');
    breaker.close();
    expect((await client.get('/x')).status).toBe(200);
    await new Promise((resolve) => setImmediate(resolve));
    expect(breaker.snapshot()).toMatchObject({ inFlight: 0, queued: 0 });
  });

  it('can be told for one request, or left out', async () => {
    const { client, breaker } = setUp({ fallback: staticFallback('all') });
    breaker.open();
    const own = await client.get('/x', { circuitBreaker: { fallback: staticFallback('own') } });
    const bare = await client.get('/x', { circuitBreaker: { fallback: () => 'bare' } });
    expect([own.data, bare.data]).toEqual(['own', 'bare']);
    await expect(client.get('/x', { circuitBreaker: { fallback: false } })).rejects.toMatchObject({
      name: 'BreakerOpenError',
    });
  });

  it('answers for a full bulkhead, too', async () => {
    const { client, breaker, told } = setUp({
      fallback: degrade((_config, error) => error),
      maxConcurrent: 1,
    });
    const hangs = () => new Promise(() => undefined);
    void client.get('/x', { adapter: hangs as never });
    const { data } = await client.get<unknown>('/x');
    expect(isBulkheadFullError(data)).toBe(true);
    expect(told).toHaveLength(1);
    expect(breaker.getState()).toBe('closed');
  });

  it('is not asked about failures, nor about what is none', async () => {
    const fallback = jest.fn();
    for (const status of [503, 404, 200]) {
      const { client } = setUp({ fallback }, status);
      await client.get('/x').catch(() => undefined);
    }
    expect(fallback).not.toHaveBeenCalled();
  });

  it("is nobody's success: the circuit of another breaker ignores it", async () => {
    const client = axios.create();
    const outer = new CircuitBreakerWithEmitter(client, {});
    const inner = new CircuitBreakerWithEmitter(client, { fallback: staticFallback('instead') });
    inner.open();
    await client.get('/x');
    await new Promise((resolve) => setImmediate(resolve));
    expect(outer.snapshot().counts).toMatchObject({ admitted: 1, success: 0, ignored: 1 });
  });
});

describe('the fallback of a failure', () => {
  const onFailure = { fallbackOn: 'failure', fallback: staticFallback('instead') } as const;

  it('answers what was counted, and nothing else', async () => {
    const failed = setUp(onFailure, 503);
    expect(await failed.client.get('/x')).toMatchObject({
      data: 'instead',
      fallback: 'static',
      status: 200,
    });
    expect(failed.breaker.snapshot().counts).toMatchObject({ failure: 1, admitted: 1 });
    expect(failed.told).toEqual([
      { key: 'default', error: expect.objectContaining({ message: 'status 503' }) as Error },
    ]);

    const excused = setUp(onFailure, 404);
    await expect(excused.client.get('/x')).rejects.toMatchObject({ message: 'status 404' });
    expect(excused.told).toEqual([]);

    const fine = setUp(onFailure, 200);
    expect((await fine.client.get('/x')).data).toBe('raw');
  });

  it('answers responses that were judged failures', async () => {
    const { client } = setUp({ ...onFailure, responseHandler: () => true });
    expect(await client.get('/x')).toMatchObject({ data: 'instead', fallback: 'static' });
  });

  it('answers refusals as well', async () => {
    const { client, breaker } = setUp(onFailure);
    breaker.open();
    expect((await client.get('/x')).data).toBe('instead');
  });

  it('that throws is what the caller gets, with the failure as its cause', async () => {
    const thrown = new Error('no fallback either');
    const { client } = setUp({ ...onFailure, fallback: () => Promise.reject(thrown) }, 503);
    await expect(client.get('/x')).rejects.toBe(thrown);
    expect(thrown.cause).toMatchObject({ message: 'status 503' });
  });

  it('is asked once, though a retry plugin brings the same error along', async () => {
    const adapter = jest.fn((config: AxiosRequestConfig) =>
      Promise.reject(
        Object.assign(new Error('down'), { isAxiosError: true, code: 'ECONNRESET', config }),
      ),
    );
    const client = axios.create({ adapter: adapter as never });
    axiosRetry(client, { retries: 2, retryDelay: () => 1 });
    const fallback = jest.fn((_config: unknown, error: unknown) => Promise.reject(error as Error));
    new CircuitBreakerWithEmitter(client, { fallbackOn: 'failure', fallback });
    await expect(client.get('/x')).rejects.toMatchObject({ message: 'down' });
    expect([adapter.mock.calls.length, fallback.mock.calls.length]).toEqual([3, 1]);
  });

  it('answers each of several requests that fail with the same error', async () => {
    const error = Object.assign(new Error('down'), { isAxiosError: true });
    const client = axios.create({ adapter: () => Promise.reject(error) });
    const fallback = ({ url }: AxiosRequestConfig) => url;
    new CircuitBreakerWithEmitter(client, { fallbackOn: 'failure', fallback });
    const answers = await Promise.all(['/1', '/2', '/3'].map((url) => client.get<unknown>(url)));
    expect(answers.map(({ data }) => data)).toEqual(['/1', '/2', '/3']);
  });

  it('has headers as axios makes them, of its own each time', async () => {
    const headers = { 'X-Degraded': 'yes' };
    const { client } = setUp({ ...onFailure, fallback: () => fallbackResponse({ headers }) }, 503);
    const response = await client.get('/x');
    expect((response.headers as AxiosHeaders).get('x-degraded')).toBe('yes');
    expect(response.headers).not.toBe(headers);
  });

  it('that has no answer leaves the failure', async () => {
    const { client } = setUp(
      { ...onFailure, fallback: { answer: () => Promise.resolve(undefined) } },
      503,
    );
    await expect(client.get('/x')).rejects.toMatchObject({ message: 'status 503' });
  });

  it('is left to the caller once the breaker is detached', async () => {
    const { client, breaker } = setUp(onFailure, 503);
    const request = client.get('/x');
    breaker.detach();
    await expect(request).rejects.toMatchObject({ message: 'status 503' });
  });
});

describe('the observer of a fallback', () => {
  const silent = { answer: () => Promise.resolve(undefined) };

  it.each([200, 404])('is told an answer that is no failure: %d', async (status) => {
    const observer = jest.fn();
    const observe = jest.fn<FallbackObserver, [unknown]>(() => observer);
    const clock = new ManualClock();
    const { client } = setUp({ fallback: firstOf({ ...silent, observe }, silent), clock }, status);
    const seen: unknown[] = [];
    client.interceptors.response.use(
      (response) => {
        seen.push(observer.mock.calls.length);
        return response;
      },
      () => seen.push(observer.mock.calls.length),
    );
    await client.get('/x', { headers: { 'x-own': 'yes' } }).catch(() => undefined);
    expect(observe.mock.calls).toHaveLength(1);
    expect(observe.mock.calls[0]?.[0]).toMatchObject({ config: { url: '/x' }, clock });
    expect(observer.mock.calls).toEqual([[expect.objectContaining({ status, data: 'raw' }), true]]);
    expect(seen).toEqual([1]);
  });

  it.each([503, 429])('is not told a failure: %d', async (status) => {
    const observer = jest.fn();
    const { client } = setUp({ fallback: { ...silent, observe: () => observer } }, status);
    await client.get('/x').catch(() => undefined);
    expect(observer).not.toHaveBeenCalled();
  });

  it('is told whether transformResponse threw, after which the config is as it was', async () => {
    const observer = jest.fn();
    const thrown = new Error('no JSON');
    const throws = () => {
      throw thrown;
    };
    for (const status of [200, 404]) {
      const { client } = setUp({ fallback: { ...silent, observe: () => observer } }, status);
      const seen: unknown[] = [];
      client.interceptors.response.use(undefined, (error: unknown) => seen.push(error));
      const config = { transformResponse: [throws] };
      await client.get('/x', config);
      expect(seen).toEqual([thrown]);
      expect(observer).toHaveBeenLastCalledWith(
        expect.objectContaining({ status, data: '"raw"' }),
        false,
      );
      const [[response]] = observer.mock.calls.slice(-1) as [[AxiosResponse]];
      expect(response.config.transformResponse).toEqual([throws]);
    }
  });

  it.each([200, 404, 503])(
    'leaves transformResponse to axios, and on the config: %d',
    async (status) => {
      const observe = () => () => undefined;
      const adapterSaw: unknown[] = [];
      const { adapter, client } = setUp({ fallback: { ...silent, observe } }, status);
      new CircuitBreakerWithEmitter(client, { fallback: { ...silent, observe } });
      client.defaults.adapter = (config) => {
        adapterSaw.push(config.transformResponse);
        return adapter(config) as never;
      };
      const made = jest.fn((data: unknown) => ({ made: data }));
      const transformResponse = [made, (data: unknown) => [data]];
      const outcome = await client
        .get<unknown>('/x', { transformResponse })
        .catch((error: unknown) => error);
      const { response = outcome } = outcome as { response?: unknown };
      const { config, data } = response as AxiosResponse<unknown>;
      expect(data).toEqual([{ made: '"raw"' }]);
      expect(config.transformResponse).toEqual(transformResponse);
      expect(made).toHaveBeenCalledTimes(1);
      expect(made.mock.contexts).toEqual([config]);
      expect(adapterSaw).toHaveLength(1);
    },
  );

  it('leaves transformResponse on the config where no answer came', async () => {
    const observe = () => () => undefined;
    const transformResponse = [(data: unknown) => data];
    for (const adapter of [
      () => Promise.reject(Object.assign(new Error('down'), { isAxiosError: true })),
      () => {
        throw new Error('at once');
      },
    ]) {
      let config: AxiosRequestConfig = {};
      const client = axios.create({ adapter, transformResponse });
      client.interceptors.request.use((given) => (config = given));
      new CircuitBreakerWithEmitter(client, { fallback: { ...silent, observe } });
      await client.get('/x').catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      expect(config.transformResponse).toEqual(transformResponse);
    }
  });

  it('is made for each request that is sent, and for no refused one', async () => {
    const observe = jest.fn(() => undefined);
    const { client, breaker } = setUp({ fallback: { ...silent, observe } });
    await client.get('/x');
    breaker.open();
    await client.get('/x').catch(() => undefined);
    expect(observe).toHaveBeenCalledTimes(1);
  });

  const thrown = new Error('observer');
  const throws = () => {
    throw thrown;
  };
  it.each([
    ['where it is made', { observe: throws }],
    ['where it is told', { observe: () => throws }],
    ['where it is told, later', { observe: () => () => Promise.reject(thrown) }],
  ])('that throws %s changes nothing, and is a fault', async (_title, members) => {
    const onFault = jest.fn();
    const { client } = setUp({ fallback: { ...silent, ...members }, onFault });
    expect((await client.get('/x')).data).toBe('raw');
    await new Promise((resolve) => setImmediate(resolve));
    expect(onFault.mock.calls).toEqual([[thrown, 'fallback']]);
  });
});

describe('what a fallback is asked', () => {
  it('has the data as the caller gave it, and the config as it would have gone', async () => {
    const answer = jest.fn<Promise<undefined>, [unknown]>(() => Promise.resolve(undefined));
    const { client, breaker } = setUp({ fallback: { answer } });
    breaker.open();
    const data = { to: 'somebody', at: [1, 2] };
    await client.post('/x', data).catch(() => undefined);
    const [[request]] = answer.mock.calls as [[{ data: unknown; config: AxiosRequestConfig }]];
    expect(request.data).toEqual(data);
    expect(request.config.data).toBe(JSON.stringify(data));
  });
});
