import axios, { AxiosError, type AxiosRequestConfig, type InternalAxiosRequestConfig } from 'axios';
import { RateLimitError, UnrecoverableError } from 'bullmq';
import { replay, type ReplayOptions } from '../../src/bullmq/index.js';
import { CircuitBreaker, queueForRetry, type QueuedRequest } from '../../src/index.js';

const stored = {
  method: 'POST',
  url: 'https://api.example.com/orders',
  params: { page: 2 },
  data: { id: 7 },
  headers: { 'content-type': 'application/json', 'idempotency-key': 'k-1' },
};

/** A client that answers from memory, a queue that notes its pauses, and what becomes of a job. */
function setUp(status: number | string = 200, options: Partial<ReplayOptions> = {}) {
  const sent: InternalAxiosRequestConfig[] = [];
  const pauses: number[] = [];
  const adapter = (config: InternalAxiosRequestConfig) => {
    sent.push(config);
    const { validateStatus } = config;
    if (typeof status === 'string') return Promise.reject(new AxiosError('down', status, config));
    const response = { status, statusText: '', headers: {}, data: 'hunter2', config };
    if (!validateStatus || validateStatus(status)) return Promise.resolve(response);
    return Promise.reject(new AxiosError('rejected', undefined, config, {}, response));
  };
  const client = axios.create({ baseURL: 'https://api.example.com', adapter });
  const queue = { rateLimit: (ms: number) => Promise.resolve(pauses.push(ms)) };
  const processor = replay(client, { queue, ...options });
  const run = (data: unknown = stored, signal?: AbortSignal) =>
    processor({ data }, 'token', signal).then(
      (value) => ({ value, error: undefined }),
      (error: unknown) => ({ value: undefined, error: error as Error }),
    );
  return { client, sent, pauses, run, processor };
}

describe('replay', () => {
  it('sends what was stored, and keeps nothing but the status', async () => {
    const { sent, run } = setUp(201);
    expect(await run()).toEqual({ value: { status: 201 }, error: undefined });
    expect(sent).toMatchObject([
      {
        method: 'post',
        url: stored.url,
        params: stored.params,
        data: '{"id":7}',
        maxRedirects: 0,
      },
    ]);
    expect(sent[0]?.headers.get('Idempotency-Key')).toBe('k-1');
    expect(sent[0]?.headers.get('Content-Type')).toBe('application/json');
  });

  it('sends the same key at every try', async () => {
    const { sent, run } = setUp(500);
    await run();
    await run();
    expect(sent.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(['k-1', 'k-1']);
  });

  it('lets BullMQ try again what failed', async () => {
    const { run, pauses } = setUp('ECONNREFUSED');
    const { error } = await run();
    expect(error).toEqual(new Error('No answer: ECONNREFUSED: down'));
    expect(error).not.toBeInstanceOf(UnrecoverableError);
    expect(pauses).toEqual([]);
  });

  it('fails for good where the server will never take it, and tells no body', async () => {
    const { run } = setUp(422);
    expect((await run()).error).toEqual(new UnrecoverableError('The server answered 422'));
  });

  it.each([
    [200, 1_000],
    [12_345, 12_345],
    [600_000, 60_000],
  ])(
    'pauses the queue while the breaker refuses for %i ms, and sends nothing',
    async (ms, pause) => {
      const { client, sent, run, pauses } = setUp('ECONNREFUSED');
      const clock = { now: () => 0, setTimeout: () => 0, clearTimeout: () => undefined };
      const options = { consecutiveFailures: 1, cooldown: ms, maxCooldown: ms, cooldownJitter: 0 };
      new CircuitBreaker(client, { ...options, clock });
      await run();
      expect(pauses).toEqual([]);
      const { error } = await run();
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error?.message).toBe('bullmq:rateLimitExceeded');
      expect(pauses).toEqual([pause]);
      expect(sent).toHaveLength(1);
    },
  );

  it('pauses for a minute where only a command closes the circuit', async () => {
    const { client, run, pauses } = setUp();
    new CircuitBreaker(client).open();
    await run();
    expect(pauses).toEqual([60_000]);
  });

  it('pauses after a 429, with a breaker or without', async () => {
    const { run, pauses } = setUp(429);
    expect((await run()).error).toBeInstanceOf(RateLimitError);
    expect(pauses).toEqual([1_000]);
  });

  it('does not queue again what is refused', async () => {
    const { client, run } = setUp();
    const added: QueuedRequest[] = [];
    const fallback = queueForRetry((request) => added.push(request));
    new CircuitBreaker(client, { fallback, fallbackOn: 'failure' }).open();
    expect((await run()).error).toBeInstanceOf(RateLimitError);
    expect(added).toEqual([]);
  });

  it('is told by the wire, though interceptors unwrap answers and swallow errors', async () => {
    for (const [status, kind] of [
      [200, undefined],
      [422, UnrecoverableError],
      [429, RateLimitError],
      [500, Error],
    ] as const) {
      const { client, run } = setUp(status);
      client.interceptors.response.use(
        ({ data }) => data as never,
        () => ({ ok: false }),
      );
      const { value, error } = await run();
      expect(error?.constructor).toBe(kind);
      expect(value).toEqual(kind ? undefined : { status });
    }
  });

  it('leaves to the client what it rejects', async () => {
    const { client, run, sent } = setUp(422);
    const rejected: unknown[] = [];
    client.interceptors.response.use(undefined, (error: unknown) => {
      rejected.push(error);
      throw error;
    });
    client.defaults.validateStatus = () => true;
    expect((await run()).error).toBeInstanceOf(UnrecoverableError);
    client.defaults.validateStatus = null;
    expect((await run()).error).toBeInstanceOf(UnrecoverableError);
    expect([rejected.length, sent.length]).toEqual([0, 2]);
    client.defaults.validateStatus = (status) => status < 300;
    await run();
    expect(rejected).toHaveLength(1);
  });

  it('sends to the base URL of the client and to allowedOrigins, and nowhere else', async () => {
    const { run, sent } = setUp(200, { allowedOrigins: ['https://b.example'] });
    for (const url of ['/x', 'https://b.example/x']) {
      expect((await run({ ...stored, url })).value).toEqual({ status: 200 });
    }
    expect((await run({ ...stored, url: 'https://evil.example/hunter2' })).error).toEqual(
      new UnrecoverableError('Not sent. Its origin is none that is allowed: https://evil.example'),
    );
    expect(sent.map(({ url }) => url)).toEqual([
      'https://api.example.com/x',
      'https://b.example/x',
    ]);
  });

  it('sends nothing that a job holds and a description does not', async () => {
    const { run, sent } = setUp();
    const planted: AxiosRequestConfig = {
      baseURL: 'https://evil.example',
      proxy: { host: 'evil.example', port: 80 },
      auth: { username: 'a', password: 'b' },
      circuitBreaker: false,
    };
    await run({ ...stored, ...planted });
    expect(sent).toMatchObject([{ baseURL: 'https://api.example.com', url: stored.url }]);
    expect(sent[0]).not.toHaveProperty('proxy');
    expect(sent[0]).not.toHaveProperty('auth');
  });

  it('sets a header that it was told of', async () => {
    const headers = { ...stored.headers, 'x-tenant': 'acme' };
    const { run, sent } = setUp(200, { headers: ['X-Tenant'] });
    await run({ ...stored, headers });
    expect(sent[0]?.headers.get('X-Tenant')).toBe('acme');
    expect((await setUp().run({ ...stored, headers })).error).toEqual(
      new UnrecoverableError('Not sent. It has a header that `headers` does not name'),
    );
  });

  it('hands the signal of BullMQ to the request', async () => {
    const { run, sent, processor } = setUp();
    expect(processor).toHaveLength(3); // BullMQ makes a signal only for such a processor
    const { signal } = new AbortController();
    await run(stored, signal);
    expect(sent[0]?.signal).toBe(signal);
    await run();
    expect(sent[1]).not.toHaveProperty('signal');
  });

  it('fails with what Redis says where the queue cannot be paused', async () => {
    const queue = { rateLimit: () => Promise.reject(new Error('NOPERM')) };
    expect((await setUp(429, { queue }).run()).error).toEqual(new Error('NOPERM'));
  });

  it('pauses the queue that the job knows where it was given none', async () => {
    const rateLimit = jest.fn(() => Promise.resolve());
    const job = { data: stored, queue: { rateLimit } };
    const client = axios.create({ baseURL: 'https://api.example.com' });
    new CircuitBreaker(client).open();
    await expect(replay(client)(job)).rejects.toThrow(RateLimitError);
    expect(rateLimit.mock.calls).toEqual([[60_000]]);
    await expect(replay(client)({ data: stored })).rejects.toThrow(
      'Expected `queue` to be a BullMQ Queue: this version of BullMQ needs it',
    );
  });

  it('says what is wrong with its options', () => {
    const client = axios.create({ baseURL: 'https://api.example.com' });
    const queue = { rateLimit: () => Promise.resolve() };
    const bad: [object, object, string][] = [
      [{}, { queue }, 'Expected `client` to be an axios instance, got an object'],
      [client, { queue: {} }, 'Expected `queue` to be a BullMQ Queue, got an object'],
      [client, { queue, allowedOrigin: [] }, 'Did you mean `allowedOrigins`?'],
      [
        client,
        { queue, allowedOrigins: ['b.example'] },
        'Expected `allowedOrigins` to be a list of origins such as https://api.example.com, got ["b.example"]',
      ],
      [
        axios.create(),
        { queue },
        'Expected `allowedOrigins` to be a list of origins such as https://api.example.com, or `baseURL` one, got []',
      ],
    ];
    for (const [instance, options, message] of bad) {
      expect(() => replay(instance as never, options as never)).toThrow(message);
    }
  });
});
