import type { JobsOptions } from 'bullmq';
import { bullmqQueue, type BullmqQueueOptions, type JobQueue } from '../../src/bullmq/index.js';
import type { QueuedRequest } from '../../src/index.js';

const request: QueuedRequest = {
  method: 'POST',
  url: 'https://mail.example.com/mails',
  data: { to: 'reader@example.com' },
  headers: { accept: 'application/json' },
};

interface Added {
  readonly name: string;
  readonly data: QueuedRequest;
  readonly options: JobsOptions;
}

class FakeQueue implements JobQueue {
  readonly added: Added[] = [];
  add(name: string, data: QueuedRequest, options: JobsOptions) {
    this.added.push({ name, data, options });
    return Promise.resolve({ id: String(this.added.length) });
  }
}

describe('bullmqQueue', () => {
  it('adds a job and gives its id', async () => {
    const queue = new FakeQueue();
    const add = bullmqQueue(queue);
    expect([await add(request), await add(request)]).toEqual(['1', '2']);
    expect(queue.added[0]).toEqual({
      name: 'request',
      data: {
        ...request,
        headers: {
          ...request.headers,
          'idempotency-key': expect.stringMatching(/^[\da-f-]{36}$/) as string,
        },
      },
      options: {
        attempts: 17,
        backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
        removeOnComplete: true,
        removeOnFail: false,
      },
    });
  });

  it('makes a key for each request that has none', async () => {
    const queue = new FakeQueue();
    const add = bullmqQueue(queue);
    for (const key of [undefined, '', 'k-1']) {
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      await add({ ...request, headers });
    }
    const keys = queue.added.map(({ data }) => data.headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[1]).toHaveLength(36);
    expect(keys[2]).toBe('k-1');
    expect(request.headers).toEqual({ accept: 'application/json' });
  });

  it('takes a name and options for its jobs', async () => {
    const queue = new FakeQueue();
    const jobOptions = { attempts: 3, removeOnFail: 100, priority: 2 };
    await bullmqQueue(queue, { jobName: 'mail', jobOptions })(request);
    expect(queue.added[0]).toMatchObject({
      name: 'mail',
      options: { ...jobOptions, backoff: { type: 'exponential' }, removeOnComplete: true },
    });
  });

  it('throws what the queue throws', async () => {
    const add = bullmqQueue({ add: () => Promise.reject(new Error('READONLY')) });
    await expect(add(request)).rejects.toThrow(new Error('READONLY'));
  });

  it('throws after addTimeout where the queue never answers, and is done with it', async () => {
    let fail: (error: Error) => unknown = () => undefined;
    const add = bullmqQueue(
      { add: () => new Promise((_resolve, reject) => (fail = reject)) },
      { addTimeout: 20 },
    );
    await expect(add(request)).rejects.toThrow(
      new Error('The queue did not keep the request within 20 ms'),
    );
    fail(new Error('later')); // an unhandled rejection would fail this test
    await Promise.resolve();
  });

  it.each([
    [{}, {}, 'Expected `queue` to be a BullMQ Queue, got an object'],
    [null, {}, 'Expected `queue` to be a BullMQ Queue, got null'],
    [new FakeQueue(), { jobname: 'x' }, 'Unknown option `jobname`. Did you mean `jobName`?'],
    [new FakeQueue(), { jobName: '' }, 'Expected `jobName` to be a string that is not empty'],
    [new FakeQueue(), { addTimeout: 0 }, 'Expected `addTimeout` to be a number of milliseconds'],
    [
      new FakeQueue(),
      { jobOptions: { jobId: 'one' } },
      'Expected `jobOptions` to be an object without jobId, deduplication, repeat',
    ],
  ])('says what is wrong: %j, %j', (queue, options, message) => {
    expect(() => bullmqQueue(queue as JobQueue, options as BullmqQueueOptions)).toThrow(message);
  });
});
