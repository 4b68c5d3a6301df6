import { CircuitBreaker, type BreakerTarget } from './circuit-breaker.js';
import type { BreakerEventName } from './events.js';
import { Listeners, type BreakerListener } from './listeners.js';
import type { CircuitBreakerOptions } from './options.js';

/**
 * A `CircuitBreaker` that tells what happens.
 *
 * @throws as `CircuitBreaker` does.
 * @example
 * const breaker = new CircuitBreakerWithEmitter(client, {
 *   timeout: 10_000,
 *   errorHandler: (error) => error.response?.status === 429,
 * });
 * breaker.on('OPEN', ({ cooldownMs }) => console.log(`resting for ${cooldownMs} ms`));
 * breaker.on('CLOSE', () => console.log('back again'));
 */
export class CircuitBreakerWithEmitter extends CircuitBreaker {
  readonly #listeners = new Listeners((source, error) => this.reportFault(source, error));

  constructor(http: BreakerTarget, options: CircuitBreakerOptions = {}) {
    super(http, options);
    this.addSink(this.#listeners);
  }

  /**
   * Calls the listener at every event of that name.
   * @throws TypeError where there is no event of that name, or the listener is no function.
   */
  on<Name extends BreakerEventName>(event: Name, listener: BreakerListener<Name>): this {
    this.#listeners.on(event, listener);
    return this;
  }

  /**
   * Calls the listener at the next event of that name only.
   * @throws TypeError where there is no event of that name, or the listener is no function.
   */
  once<Name extends BreakerEventName>(event: Name, listener: BreakerListener<Name>): this {
    this.#listeners.once(event, listener);
    return this;
  }

  /** Takes that listener away, or all of that event. */
  off<Name extends BreakerEventName>(event: Name, listener?: BreakerListener<Name>): this {
    this.#listeners.off(event, listener);
    return this;
  }

  /** Another name for `off`. */
  removeListener<Name extends BreakerEventName>(
    event: Name,
    listener?: BreakerListener<Name>,
  ): this {
    return this.off(event, listener);
  }
}
