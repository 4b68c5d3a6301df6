import { answerOf, type Fallback, type OwnAnswer } from './fallback.js';

class StaticFallback implements Fallback {
  readonly #data: unknown;

  constructor(data: unknown) {
    this.#data = data;
  }

  answer(): Promise<OwnAnswer> {
    return Promise.resolve(answerOf('static', this.#data));
  }
}

/**
 * Always the same answer. It is the same object each time: where callers change what they get, use
 * `degrade` and make a new one.
 *
 * @example
 * new CircuitBreaker(client, { fallback: staticFallback({ items: [] }) });
 */
export function staticFallback(data: unknown): Fallback {
  return new StaticFallback(data);
}
