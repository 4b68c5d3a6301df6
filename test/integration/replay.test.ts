import axios, { type AxiosInstance } from 'axios';
import { bullmqQueue, replay } from '../../src/bullmq/index.js';
import { queueForRetry, type QueuedRequest } from '../../src/index.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { outcome, startRig, startServer, type Rig } from '../support/rig.js';
import { senders } from '../support/senders.js';

/** A queue in memory, of which nothing is left to Redis: what it holds has been JSON. */
class MemoryQueue {
  readonly jobs: { data: unknown }[] = [];
  readonly pauses: number[] = [];
  add(_name: string, data: QueuedRequest) {
    this.jobs.push({ data: JSON.parse(JSON.stringify(data)) as unknown });
    return Promise.resolve({ id: String(this.jobs.length) });
  }
  rateLimit(ms: number) {
    return Promise.resolve(this.pauses.push(ms));
  }
}

describe.each(senders)('a request that is replayed by $sender', ({ config }) => {
  expectQuietProcess();
  let rig: Rig;
  let queue: MemoryQueue;
  beforeEach(async () => {
    queue = new MemoryQueue();
    rig = await startRig({ fallback: queueForRetry(bullmqQueue(queue)) }, config as never);
  });
  afterEach(() => rig.stop());

  async function replayed(client: AxiosInstance = rig.client) {
    const [job = { data: undefined }] = queue.jobs;
    return outcome(replay(client, { queue })(job));
  }

  async function queued(path = '/x') {
    rig.breaker.open();
    const { data } = await rig.client.post<unknown>(path, { id: 7 });
    rig.breaker.close();
    expect(data).toEqual({ id: '1' });
  }

  it('is what it was, with a key', async () => {
    rig.server.script('/x', [200]);
    await rig.client.post('/x', { id: 7 });
    await queued();
    expect((await replayed()).value).toEqual({ status: 200 });
    const [first, second] = rig.server.requests('/x').map(({ headers, ...request }) => {
      const { accept, 'content-type': type } = headers;
      return { ...request, accept, type, closedAt: undefined };
    });
    expect(second).toEqual(first);
    const keys = rig.server.requests('/x').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([undefined, expect.stringMatching(/^[\da-f-]{36}$/)]);
  });

  it.each([
    [422, 'UnrecoverableError', 'The server answered 422'],
    [500, 'Error', 'The server answered 500'],
    [429, 'RateLimitError', 'bullmq:rateLimitExceeded'],
  ])('fails as it should where the server answers %i', async (status, name, message) => {
    rig.server.script('/x', [status]);
    await queued();
    expect((await replayed()).error).toMatchObject({ name, message });
    expect(queue.pauses).toEqual(status === 429 ? [1_000] : []);
  });

  it('is another try where the server is gone', async () => {
    rig.server.script('/x', [{ behaviour: 'reset' }]);
    await queued();
    expect((await replayed()).error).toMatchObject({
      name: 'Error',
      message: expect.stringMatching(/^No answer: /) as string,
    });
  });

  it('follows no redirect', async () => {
    const evil = await startServer();
    const Location = `${evil.url}/steal`;
    rig.server.script('/x', [{ status: 307, headers: { Location } }]);
    await queued();
    expect((await replayed()).error).toMatchObject({ message: 'The server answered 307' });
    expect(evil.hits()).toBe(0);
  });

  it('is sent where the client takes no absolute URLs', async () => {
    rig.server.script('/x', [200]);
    await queued();
    const client = axios.create({
      ...config,
      baseURL: rig.server.url,
      allowAbsoluteUrls: false,
    } as never);
    expect((await replayed(client)).value).toEqual({ status: 200 });
  });

  it('is not sent to another server', async () => {
    const other = await startServer();
    await queued();
    const client = axios.create({ ...config, baseURL: other.url } as never);
    expect((await replayed(client)).error).toMatchObject({ name: 'UnrecoverableError' });
    expect(rig.server.hits() + other.hits()).toBe(0);
  });
});
