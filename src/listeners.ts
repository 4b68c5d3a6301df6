import { EventEmitter } from 'eventemitter3';
import { describe } from './describe.js';
import type { BreakerEventName, BreakerEvents, EventSink } from './events.js';
import { catchRejection } from './faults.js';

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
  FALLBACK: true,
};

/** The listeners of a breaker, each kept from harming the others or the breaker. */
export class Listeners implements EventSink {
  readonly #emitter = new EventEmitter<string>();
  /** What the emitter calls in the place of a listener. */
  readonly #isolated = new Map<BreakerEventName, WeakMap<AnyListener, Isolated>>();
  readonly #reportFault: (source: string, error: unknown) => void;

  constructor(reportFault: (source: string, error: unknown) => void) {
    this.#reportFault = reportFault;
  }

  wants(type: BreakerEventName): boolean {
    return this.#emitter.listenerCount(type) > 0;
  }

  tell(type: BreakerEventName, event: unknown): void {
    this.#emitter.emit(type, event);
  }

  /** @throws TypeError where there is no event of that name, or the listener is no function. */
  on(event: BreakerEventName, listener: AnyListener): void {
    this.#emitter.on(event, this.#isolate(event, listener));
  }

  /** @throws TypeError where there is no event of that name, or the listener is no function. */
  once(event: BreakerEventName, listener: AnyListener): void {
    this.#emitter.once(event, this.#isolate(event, listener));
  }

  /** Takes that listener away, or all of that event. */
  off(event: BreakerEventName, listener: AnyListener | undefined): void {
    if (listener === undefined) {
      this.#emitter.removeAllListeners(event);
      return;
    }
    const isolated = this.#isolated.get(event)?.get(listener);
    if (isolated !== undefined) this.#emitter.off(event, isolated);
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
    const isolated = known.get(listener) ?? this.#createIsolated(event, listener);
    known.set(listener, isolated);
    return isolated;
  }

  #createIsolated(event: BreakerEventName, listener: AnyListener): Isolated {
    const report = (error: unknown) => this.#reportFault(`listener:${event}`, error);
    return (payload) => {
      try {
        catchRejection(listener(payload as never), report);
      } catch (error) {
        report(error);
      }
    };
  }
}
