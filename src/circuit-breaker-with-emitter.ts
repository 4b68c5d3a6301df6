import { EventEmitter } from 'eventemitter3';
import { CircuitBreaker, type BreakerTarget } from './circuit-breaker.js';
import { describe } from './describe.js';
import type { BreakerEventName, BreakerEvents } from './events.js';
import { catchRejection } from './faults.js';
import type { CircuitBreakerOptions } from './options.js';

/**
 * Told one event. What it throws, or rejects with, goes to `onFault` and changes nothing; it may
 * call back into the breaker.
 */
export type BreakerListener<Name extends BreakerEventName> = (
  event: BreakerEvents[Name],
) => unknown;

type AnyListener = (event: never) => unknown;
type Isolated = (event: unknown) => void;

const eventNames: Record<BreakerEventName, true> = {
  OPEN: true,
  HALF_OPEN: true,
  CLOSE: true,
  WOULD_OPEN: true,
  REFUSE: true,
  SUCCESS: true,
  FAILURE: true,
  IGNORE: true,
};

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
  readonly #emitter = new EventEmitter<string>();
  /** What the emitter calls for a listener, so that one that throws reaches neither it nor the others. */
  readonly #isolated = new Map<BreakerEventName, WeakMap<AnyListener, Isolated>>();

  constructor(http: BreakerTarget, options: CircuitBreakerOptions = {}) {
    super(http, options);
    this.addSink({
      wants: (type) => this.#emitter.listenerCount(type) > 0,
      tell: (type, event) => void this.#emitter.emit(type, event),
    });
  }

  /**
   * Calls the listener at every event of that name.
   * @throws TypeError where there is no event of that name, or the listener is no function.
   */
  on<Name extends BreakerEventName>(event: Name, listener: BreakerListener<Name>): this {
    this.#emitter.on(event, this.#isolate(event, listener));
    return this;
  }

  /**
   * Calls the listener at the next event of that name only.
   * @throws TypeError where there is no event of that name, or the listener is no function.
   */
  once<Name extends BreakerEventName>(event: Name, listener: BreakerListener<Name>): this {
    this.#emitter.once(event, this.#isolate(event, listener));
    return this;
  }

  /** Takes that listener away, or all of that event. */
  off<Name extends BreakerEventName>(event: Name, listener?: BreakerListener<Name>): this {
    if (listener === undefined) {
      this.#emitter.removeAllListeners(event);
      return this;
    }
    const isolated = this.#isolated.get(event)?.get(listener);
    if (isolated !== undefined) this.#emitter.off(event, isolated);
    return this;
  }

  /** Another name for `off`. */
  removeListener<Name extends BreakerEventName>(
    event: Name,
    listener?: BreakerListener<Name>,
  ): this {
    return this.off(event, listener);
  }

  #isolate(event: BreakerEventName, listener: AnyListener): Isolated {
    if (!Object.hasOwn(eventNames, event)) {
      const names = Object.keys(eventNames).join(', ');
      throw new TypeError(`Expected \`event\` to be one of ${names}, got ${describe(event)}`);
    }
    if (typeof listener !== 'function') {
      throw new TypeError(`Expected \`listener\` to be a function, got ${describe(listener)}`);
    }
    const known = this.#isolated.get(event) ?? new WeakMap<AnyListener, Isolated>();
    this.#isolated.set(event, known);
    const isolated = known.get(listener) ?? this.#isolateOne(event, listener);
    known.set(listener, isolated);
    return isolated;
  }

  #isolateOne(event: BreakerEventName, listener: AnyListener): Isolated {
    const report = (error: unknown) => this.reportFault(`listener:${event}`, error);
    return (payload) => {
      try {
        catchRejection(listener(payload as never), report);
      } catch (error) {
        report(error);
      }
    };
  }
}
