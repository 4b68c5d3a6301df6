import type { JobsOptions } from 'bullmq';
import { fail, ofType, positive, readOptions, text, type Check } from '../checks.js';
import type { AddToQueue } from '../fallback/queue-for-retry.js';
import type { QueuedRequest } from '../fallback/queued-request.js';

/** What is used of a BullMQ `Queue`. */
export interface JobQueue {
  add(name: string, data: QueuedRequest, options: JobsOptions): Promise<{ readonly id?: string }>;
}

/** How requests become jobs. */
export interface BullmqQueueOptions {
  /**
   * The name of the jobs. Not empty.
   * @default 'request'
   */
  readonly jobName?: string | undefined;
  /**
   * BullMQ's options of each job, over the defaults here. `attempts` counts requests that were sent and
   * failed; what the breaker refuses counts for nothing. Not `jobId`, `deduplication` or `repeat`: with
   * those BullMQ would take two requests for one.
   * @default `{ attempts: 17, backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
   * removeOnComplete: true, removeOnFail: false }`: at most 18 hours of tries
   */
  readonly jobOptions?: Omit<JobsOptions, 'jobId' | 'deduplication' | 'repeat'> | undefined;
  /**
   * How long Redis may take to keep a request, in ms; then its caller gets an error. More than 0.
   * @default 5_000
   */
  readonly addTimeout?: number | undefined;
}

const dropping = ['jobId', 'deduplication', 'repeat'];

const checks: Record<keyof BullmqQueueOptions, Check> = {
  jobName: text,
  jobOptions: ofType('object', `an object without ${dropping.join(', ')}`, (value) =>
    dropping.every((name) => !Object.hasOwn(value as object, name)),
  ),
  addTimeout: positive,
};

// The delays add up to less than the day for which servers commonly remember an Idempotency-Key.
const defaults: JobsOptions = {
  attempts: 17,
  backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
  removeOnComplete: true,
  removeOnFail: false,
};

/**
 * Keeps requests in a BullMQ queue, for `queueForRetry`; its ids are those of the jobs. Each request gets
 * an `Idempotency-Key`, unless it has one, and keeps it however often it is sent.
 *
 * @throws TypeError or RangeError where `queue` has no `add`, or an option is unknown or bad.
 * @example
 * import axios from 'axios';
 * import { CircuitBreaker, queueForRetry } from 'axios-circuit-guard';
 * import { bullmqQueue } from 'axios-circuit-guard/bullmq';
 * import { Queue } from 'bullmq';
 *
 * const queue = new Queue('mails', { connection: { host: '127.0.0.1', port: 6379 } });
 * new CircuitBreaker(axios.create({ baseURL: 'https://mail.example.com' }), {
 *   fallback: queueForRetry(bullmqQueue(queue)),
 * });
 */
export function bullmqQueue(queue: JobQueue, options: BullmqQueueOptions = {}): AddToQueue {
  const { add } = Object(queue) as Partial<JobQueue>;
  if (typeof add !== 'function') fail('queue', 'a BullMQ Queue', queue, TypeError);
  const { jobName = 'request', jobOptions, addTimeout = 5_000 } = readOptions(options, checks);
  return async (request) => {
    const added = queue.add(jobName, withKey(request), { ...defaults, ...jobOptions });
    return (await inTime(added, addTimeout)).id;
  };
}

function withKey(request: QueuedRequest): QueuedRequest {
  // Made before it is kept, so that whoever sends it, and however often, sends the same.
  const { 'idempotency-key': given = '' } = request.headers;
  const key = given === '' ? crypto.randomUUID() : given;
  return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
}

/** BullMQ waits for its connection as long as it takes. */
async function inTime<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    const late = () => reject(new Error(`The queue did not keep the request within ${ms} ms`));
    timer = setTimeout(late, ms);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
