import axios, { type AxiosRequestConfig } from 'axios';
import { Queue, Worker, type Job, type WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { bullmqQueue, replay, type ReplayOptions } from '../../src/bullmq/index.js';
import { CircuitBreaker, queueForRetry, type CircuitBreakerOptions } from '../../src/index.js';
import { startTestServer, type TestServer } from '../../test-server/start.js';
import { needs } from '../support/needs.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';

const limiter = { max: 1_000_000, duration: 1_000 };

needs('redis-server')('a BullMQ worker that replays', () => {
  let redis: RedisServer;
  let server: TestServer;
  let queue: Queue;
  const workers = new Set<Worker>();

  beforeAll(async () => void (redis = await startRedisServer()));
  afterAll(() => redis.stop());
  beforeEach(async () => {
    server = await startTestServer();
    queue = new Queue(`orders-${server.port}`, { connection: { port: redis.port } });
  });
  afterEach(async () => {
    await Promise.all([...workers].map((worker) => worker.close()));
    workers.clear();
    await queue.close();
    await server.close();
  });

  /** A client with a breaker whose refusals are queued. */
  function clientWith(options: CircuitBreakerOptions = {}, config: AxiosRequestConfig = {}) {
    const client = axios.create({ baseURL: server.url, ...config } as never);
    const breaker = new CircuitBreaker(client, {
      fallback: queueForRetry(bullmqQueue(queue, { jobOptions: { removeOnComplete: false } })),
      consecutiveFailures: 1,
      cooldown: 300,
      cooldownJitter: 0,
      ...options,
    });
    return { client, breaker };
  }

  /** Queues so many orders, and returns their ids. */
  async function order(count: number): Promise<string[]> {
    const { client, breaker } = clientWith();
    breaker.open();
    const send = (id: number) => client.post<{ id: string }>('/orders', { id });
    const answers = await Promise.all(Array.from({ length: count }, (_none, id) => send(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    return answers.map(({ data }) => data.id);
  }

  function work(
    client = clientWith().client,
    options: Partial<WorkerOptions> = {},
    replayOptions: Partial<ReplayOptions> = {},
  ): Worker {
    const worker = new Worker(queue.name, replay(client, { queue, ...replayOptions }), {
      connection: { port: redis.port },
      limiter,
      ...options,
    });
    workers.add(worker);
    return worker;
  }

  async function jobOf(id = ''): Promise<Job> {
    const job = (await queue.getJob(id)) as Job | undefined;
    if (job === undefined) throw new Error(`There is no job ${id}`);
    return job;
  }

  async function ended(ids: readonly string[]): Promise<Job[]> {
    for (;;) {
      const jobs = await Promise.all(ids.map(jobOf));
      if (jobs.every(({ finishedOn }) => finishedOn !== undefined)) return jobs;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('does the jobs, and keeps nothing of the answers but the status', async () => {
    server.script('/orders', [{ status: 201, body: { card: 'hunter2' } }]);
    const jobs = await order(3).then((ids) => (work(), ended(ids)));
    expect(jobs.map(({ returnvalue }) => returnvalue as unknown)).toEqual(
      jobs.map(() => ({ status: 201 })),
    );
    const sent = server.requests('/orders').map(({ body }) => body);
    expect(sent.sort()).toEqual(['{"id":0}', '{"id":1}', '{"id":2}']);
  });

  it('sends the same key at every try, and uses an attempt for each that failed', async () => {
    server.script('/orders', [500, { behaviour: 'reset' }, 201]);
    const [id = ''] = await order(1);
    work(clientWith({ consecutiveFailures: 100 }).client);
    const [job] = await ended([id]);
    expect(job).toMatchObject({ returnvalue: { status: 201 }, attemptsMade: 3 });
    const keys = server.requests('/orders').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('sends nothing while the breaker refuses, and uses no attempt for that', async () => {
    server.script('/orders', [201]);
    const ids = await order(20);
    const { client, breaker } = clientWith();
    breaker.open();
    work(client, { concurrency: 10 });
    while (breaker.snapshot().counts.refused === 0) await queue.count();
    const { refused } = breaker.snapshot().counts;
    expect(await queue.getRateLimitTtl()).toBeGreaterThan(50_000);
    expect(refused).toBeLessThanOrEqual(10);
    expect(server.hits('/orders')).toBe(0);

    breaker.close();
    await queue.removeRateLimitKey();
    work();
    for (const job of await ended(ids)) expect(job).toMatchObject({ attemptsMade: 1 });
    expect(server.hits('/orders')).toBe(20);
  });

  it('pauses all workers of the queue that have a limiter', async () => {
    server.script('/orders', [503, 201]);
    const ids = await order(2);
    const { client, breaker } = clientWith({ cooldown: 2_000 });
    const worker = work(client);
    while (breaker.snapshot().counts.refused === 0) await queue.count();
    const start = Date.now();
    const other = clientWith();
    work(other.client);
    await worker.close();

    await ended(ids);
    expect(Date.now() - start).toBeGreaterThan(1_500);
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 1, refused: 1 });
    expect(other.breaker.snapshot().counts).toMatchObject({ admitted: 2, refused: 0 });
  });

  it('lets one job probe, and the other nine wait for a second', async () => {
    server.script('/orders', [503, { status: 201, delay: 200 }, 201]);
    const ids = await order(30);
    const { client, breaker } = clientWith({ cooldown: 100, halfOpen: { probes: 1 } });
    work(client, { concurrency: 10 });
    const jobs = await ended(ids);
    const { failure, refused, success } = breaker.snapshot().counts;
    expect([jobs.length, success]).toEqual([30, 30]);
    // Those ten that were sent before the first failed.
    expect(failure).toBeLessThanOrEqual(10);
    expect(refused).toBeLessThanOrEqual(40);
  });

  it('uses no attempt for a 429', async () => {
    server.script('/orders', [{ status: 429, headers: { 'Retry-After': '1' } }, 201]);
    const [id = ''] = await order(1);
    work();
    const [job] = await ended([id]);
    expect(job).toMatchObject({ returnvalue: { status: 201 }, attemptsMade: 1 });
    expect(server.hits('/orders')).toBe(2);
  });

  it('pauses where it was given no queue, too', async () => {
    server.script('/orders', [{ status: 429, headers: { 'retry-after-ms': '1500' } }, 201]);
    const ids = await order(3);
    work(clientWith().client, {}, { queue: undefined });
    const jobs = await ended(ids);
    expect(jobs.map(({ attemptsMade }) => attemptsMade)).toEqual([1, 1, 1]);
    const [first, second, ...others] = server.requests('/orders').map(({ closedAt }) => closedAt);
    expect(others).toHaveLength(2);
    // Two clocks, in whole milliseconds.
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(1_490);
  });

  it('works without a limiter, too', async () => {
    server.script('/orders', [{ status: 429, headers: { 'Retry-After': '1' } }, 201]);
    const ids = await order(10);
    work(clientWith().client, { concurrency: 5, limiter: undefined as never });
    for (const job of await ended(ids)) expect(job).toMatchObject({ attemptsMade: 1 });
    expect(server.hits('/orders')).toBeLessThanOrEqual(15);
  });

  it('fails a job for good where the server will never take it', async () => {
    server.script('/orders', [{ status: 422, body: 'hunter2' }]);
    const [id = ''] = await order(1);
    work();
    const [job] = await ended([id]);
    expect(job).toMatchObject({ failedReason: 'The server answered 422', attemptsMade: 1 });
    expect(server.hits('/orders')).toBe(1);
  });

  it('fails a job for good that would take the credentials of the client elsewhere', async () => {
    const evil = await startTestServer();
    const headers = { 'idempotency-key': 'k-1' };
    const jobs = await queue.addBulk([
      {
        name: 'x',
        data: { method: 'GET', url: `${evil.url}/steal`, headers },
        opts: { attempts: 5 },
      },
      {
        name: 'x',
        data: { method: 'GET', url: '//127.0.0.1/steal', headers },
        opts: { attempts: 5 },
      },
      { name: 'x', data: 'nonsense', opts: { attempts: 5 } },
    ]);
    const client = axios.create({ baseURL: server.url, headers: { Authorization: 'hunter2' } });
    work(client);
    const reasons = await ended(jobs.map(({ id }) => id ?? ''));
    expect(reasons.map(({ failedReason, attemptsMade }) => [failedReason, attemptsMade])).toEqual([
      [`Not sent. Its origin is none that is allowed: ${evil.url}`, 1],
      ['Not sent. Its `url` is no URL of http or https without userinfo and fragment', 1],
      ['Not sent. It holds no request', 1],
    ]);
    expect(evil.hits()).toBe(0);
    await evil.close();
  });

  it('follows no redirect, which would take them elsewhere, too', async () => {
    const evil = await startTestServer();
    server.script('/orders', [{ status: 307, headers: { Location: `${evil.url}/steal` } }]);
    const [id = ''] = await order(1);
    work(axios.create({ baseURL: server.url, headers: { 'X-Api-Key': 'hunter2' } }));
    const [job] = await ended([id]);
    expect(job).toMatchObject({ failedReason: 'The server answered 307', attemptsMade: 1 });
    expect(evil.hits()).toBe(0);
    await evil.close();
  });

  it('aborts the request of a job that is cancelled', async () => {
    server.script('/orders', [{ behaviour: 'silent' }]);
    const [id = ''] = await order(1);
    const worker = work();
    while (server.hits('/orders') === 0) await queue.count();
    expect(worker.cancelJob(id)).toBe(true);
    while (!server.requests('/orders')[0]?.aborted) await queue.count();
    while ((await jobOf(id)).attemptsMade === 0) await queue.count();
    expect(await jobOf(id)).toMatchObject({ failedReason: 'No answer: ERR_CANCELED: canceled' });
  });

  it('leaves no credential in Redis, whatever came of the jobs', async () => {
    const { client, breaker } = clientWith(
      {},
      {
        baseURL: server.url.replace('//', '//me:hunter2@'),
        headers: { Authorization: 'Bearer hunter2', Cookie: 'a=hunter2' },
        auth: { username: 'me', password: 'hunter2' },
      },
    );
    const answers = ['200', '422', '500'].map((status) => ({
      status: Number(status),
      body: 'hunter2',
    }));
    breaker.open();
    const ids: string[] = [];
    for (const { status } of answers) {
      const { data } = await client.post<{ id: string }>(`/status-${status}`, {});
      ids.push(data.id);
      server.script(`/status-${status}`, [{ status, body: 'hunter2' }]);
    }
    breaker.close();
    work(client);
    await ended(ids.slice(0, 2));
    while ((await jobOf(ids[2])).attemptsMade === 0) await queue.count();
    const kept = await dump(redis);
    expect(kept).toContain('/status-422');
    expect(kept).not.toContain('hunter2');
  });
});

/** All that Redis holds, as text. */
async function dump({ port }: RedisServer): Promise<string> {
  const client = new Redis(port);
  const keys = await client.keys('*');
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => client.get(key),
    hash: (key) => client.hgetall(key),
    list: (key) => client.lrange(key, 0, -1),
    zset: (key) => client.zrange(key, '0', '-1'),
    set: (key) => client.smembers(key),
    stream: (key) => client.xrange(key, '-', '+'),
  };
  const values = keys.map(async (key) => read[await client.type(key)]?.(key));
  const text = JSON.stringify(await Promise.all(values));
  await client.quit();
  return text;
}

needs('redis-server')('a Redis that is down', () => {
  /** What a caller gets who is refused. */
  async function refusedWith(enableOfflineQueue: boolean) {
    const redis = await startRedisServer();
    const connection = new Redis(redis.port, {
      enableOfflineQueue,
      disconnectTimeout: 10,
    });
    connection.on('error', () => undefined);
    const queue = new Queue('orders', { connection });
    queue.on('error', () => undefined);
    await queue.waitUntilReady();
    await redis.stop();
    while (connection.status === 'ready') await new Promise(setImmediate);
    const client = axios.create({ baseURL: 'http://127.0.0.1:1' });
    const fallback = queueForRetry(bullmqQueue(queue, { addTimeout: 300 }));
    new CircuitBreaker(client, { fallback }).open();
    const error: unknown = await client.post('/orders', {}).catch((thrown: unknown) => thrown);
    connection.disconnect();
    return error as Error;
  }

  it('gives the caller an error with the refusal as its cause, in time', async () => {
    expect(await refusedWith(true)).toMatchObject({
      message: 'The queue did not keep the request within 300 ms',
      cause: { name: 'BreakerOpenError' },
    });
  });

  it('does so at once where the connection has no offline queue', async () => {
    const error = await refusedWith(false);
    expect(error).toMatchObject({ cause: { name: 'BreakerOpenError' } });
    expect(error.message).toContain('enableOfflineQueue options is false');
  });
});
