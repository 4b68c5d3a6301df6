import { RateLimitError, UnrecoverableError } from 'bullmq';
import { fail, names, ofType, readOptions, type Check } from '../checks.js';
import { outcomeOfAnswer, outcomeOfError, type Outcome } from './outcome.js';
import { readStoredRequest } from './stored-request.js';
import { isOrigin, Targets } from './targets.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- must accept the instance of any axios version */

/** What is used of an axios instance. */
export interface ReplayClient {
  request(config: any): Promise<unknown>;
  readonly defaults?: {
    readonly baseURL?: string | undefined;
    readonly validateStatus?: ((status: number) => boolean) | null | undefined;
  };
}

/** What is used of a BullMQ `Queue` to pause its workers. */
export interface PausableQueue {
  rateLimit(ms: number): Promise<unknown>;
}

/** What is used of a BullMQ `Job`. */
export interface StoredJob {
  readonly data: unknown;
}

/** A processor for a BullMQ `Worker`. What it returns is all that Redis keeps of the answer. */
export type ReplayProcessor = (
  job: StoredJob,
  token?: string,
  signal?: AbortSignal,
) => Promise<{ readonly status: number }>;

/** Where stored requests may go, and what they may set. */
export interface ReplayOptions {
  /**
   * The queue that the worker works on: it is paused while the breaker refuses.
   * @default the worker's own way to it, which BullMQ means to take away
   */
  readonly queue?: PausableQueue | undefined;
  /**
   * Origins beside that of the client's `baseURL` that stored requests may be sent to, as
   * `'https://api.example.com'`.
   * @default []
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * The names of headers that stored requests may set beside Accept, Content-Type and Idempotency-Key, in
   * any case: those that `queueForRetry` was told to keep.
   * @default []
   */
  readonly headers?: readonly string[] | undefined;
}

const harmless = ['accept', 'content-type', 'idempotency-key'];

const originList = 'a list of origins such as https://api.example.com';
const checks: Record<keyof ReplayOptions, Check> = {
  queue: ofType('object', 'a BullMQ Queue', (value) => {
    return typeof (value as Partial<PausableQueue>).rateLimit === 'function';
  }),
  allowedOrigins: ofType(
    'object',
    originList,
    (value) =>
      Array.isArray(value) && value.every((one) => typeof one === 'string' && isOrigin(one)),
  ),
  headers: names('a list of header names'),
};

/** At most a minute, since somebody may close the circuit by hand. */
const pauseFor = (ms: number) => Math.min(Math.max(ms, 1_000), 60_000);

/**
 * A processor that sends the requests which `bullmqQueue` kept, through the client and its breaker. While
 * the breaker refuses, or the server says "not so often", all workers of the queue pause and the job
 * waits, with no attempt used. What the server will never take fails for good, and so does a job that
 * wants to go elsewhere than `baseURL` and `allowedOrigins`.
 *
 * @throws TypeError or RangeError where an option is unknown or bad, or nothing is allowed.
 * @example
 * import axios from 'axios';
 * import { CircuitBreaker } from 'axios-circuit-guard';
 * import { replay } from 'axios-circuit-guard/bullmq';
 * import { Queue, Worker } from 'bullmq';
 *
 * const client = axios.create({ baseURL: 'https://mail.example.com' });
 * new CircuitBreaker(client);
 * const connection = { host: '127.0.0.1', port: 6379 };
 * const queue = new Queue('mails', { connection });
 * const limiter = { max: 1_000_000, duration: 1_000 }; // without one, no worker sees the pause of another
 * new Worker('mails', replay(client, { queue }), { connection, limiter });
 */
export function replay(client: ReplayClient, options: ReplayOptions = {}): ReplayProcessor {
  const { request } = Object(client) as Partial<ReplayClient>;
  if (typeof request !== 'function') fail('client', 'an axios instance', client, TypeError);
  const { queue, allowedOrigins = [], headers = [] } = readOptions(options, checks);
  const targets = new Targets(client.defaults?.baseURL, allowedOrigins);
  if (targets.areNone) fail('allowedOrigins', `${originList}, or \`baseURL\` one`, [], TypeError);
  const allowed = new Set([...harmless, ...headers.map((name) => name.toLowerCase())]);
  const read = (data: unknown) => {
    try {
      return readStoredRequest(data, { targets, headers: allowed });
    } catch (error) {
      throw new UnrecoverableError(`Not sent. ${(error as Error).message}`);
    }
  };
  // BullMQ hands over its signal only where three parameters are declared.
  return async function replayJob(job, _token, signal) {
    const outcome = await send(client, { ...read(job.data), ...(signal && { signal }) });
    if (outcome.kind === 'done') return { status: outcome.status };
    if (outcome.kind === 'final') throw new UnrecoverableError(outcome.message);
    if (outcome.kind === 'retry') throw new Error(outcome.message);
    await (queue ?? queueOf(job)).rateLimit(pauseFor(outcome.ms));
    throw new RateLimitError();
  };
}

/** Its types do not show it. */
function queueOf(job: StoredJob): PausableQueue {
  const { queue } = job as { readonly queue?: Partial<PausableQueue> };
  if (queue?.rateLimit) return queue as PausableQueue;
  throw new Error('Expected `queue` to be a BullMQ Queue: this version of BullMQ needs it');
}

async function send(client: ReplayClient, request: object): Promise<Outcome> {
  let seen: number | undefined;
  const accepts = client.defaults?.validateStatus;
  const config = {
    ...request,
    allowAbsoluteUrls: true,
    // A redirect could lead what the client adds to another origin. Not each fetch adapter knows maxRedirects.
    maxRedirects: 0,
    fetchOptions: { redirect: 'manual' },
    circuitBreaker: { fallback: false },
    validateStatus: (status: number) => {
      seen = status;
      return accepts ? accepts(status) : true;
    },
  };
  try {
    return outcomeOfAnswer(await client.request(config), seen);
  } catch (error) {
    return outcomeOfError(error, seen);
  }
}
