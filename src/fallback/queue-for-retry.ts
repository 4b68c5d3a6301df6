import { callback, fail, names, readOptions, type Check } from '../checks.js';
import { isRefusal } from '../errors.js';
import { answerOf, fallbackResponse, type Fallback, type FallbackAnswer } from './fallback.js';
import type { FallbackRequest } from './fallback.js';
import { methodOf, queuedRequest, type QueuedRequest } from './queued-request.js';

/** Puts a request into a queue of yours. Returns the id that it has there, or a promise of it. */
export type AddToQueue = (request: QueuedRequest) => unknown;

/** Which requests are queued, and what of them. */
export interface QueueForRetryOptions {
  /**
   * The methods of which counted failures are queued, in any case: those requests were sent, and the server
   * may have done what they ask. Refused requests were not: they are queued whatever their method.
   * @default ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']
   */
  readonly methods?: readonly string[] | undefined;
  /**
   * The names of headers to be kept beside Accept, Content-Type and Idempotency-Key, in any case. Name one
   * that holds a credential only where whoever can read the queue may have it.
   * @default []
   */
  readonly headers?: readonly string[] | undefined;
}

const checks: Record<keyof QueueForRetryOptions, Check> = {
  methods: names('a list of methods'),
  headers: names('a list of header names'),
};

const idempotent = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
const harmless = ['accept', 'content-type', 'idempotency-key'];

class QueueForRetry implements Fallback {
  readonly #add: AddToQueue;
  readonly #methods: ReadonlySet<string>;
  readonly #headers: ReadonlySet<string>;

  constructor(add: AddToQueue, { methods = idempotent, headers = [] }: QueueForRetryOptions) {
    this.#add = add;
    this.#methods = new Set(methods.map((method) => method.toUpperCase()));
    this.#headers = new Set([...harmless, ...headers.map((name) => name.toLowerCase())]);
  }

  async answer(request: FallbackRequest): Promise<FallbackAnswer | undefined> {
    const { config, data, error } = request;
    if (!isRefusal(error) && !this.#methods.has(methodOf(config))) return undefined;
    const add = this.#add;
    const id = await add(queuedRequest(config, data, this.#headers));
    return answerOf('queue', fallbackResponse({ status: 202, data: { id } }));
  }
}

/**
 * Gives `add` a plain description of the request, for `client.request(description)` to send it later. The
 * caller gets a 202 with `{ id }`, where `id` is what `add` returns.
 *
 * @throws TypeError or RangeError where `add` is no function, or an option is unknown or bad.
 * @example
 * const waiting: QueuedRequest[] = [];
 * new CircuitBreaker(client, { fallback: queueForRetry((request) => waiting.push(request)) });
 */
export function queueForRetry(add: AddToQueue, options: QueueForRetryOptions = {}): Fallback {
  if (callback(add)) fail('add', 'a function', add, TypeError);
  return new QueueForRetry(add, readOptions(options, checks));
}
