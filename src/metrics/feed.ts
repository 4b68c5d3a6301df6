import type { Breaker } from '../breaker.js';
import type { CircuitState, OpenReason } from '../circuit/state.js';
import { isBreakerOpenError } from '../errors.js';
import type { BreakerEventName, BreakerEvents, EventSink } from '../events.js';
import { transition, type Transition } from './transition.js';

/** Takes the figures of one breaker that only its events tell. */
export interface Meter {
  countExchange(key: string, verdict: string, durationMs: number): void;
  countRefusal(key: string, state: CircuitState, reason: OpenReason | 'bulkhead-full'): void;
  countTransition(key: string, change: Transition): void;
  /** The circuit is gone. */
  forget(key: string): void;
}

type Handlers = { readonly [Name in BreakerEventName]?: (event: BreakerEvents[Name]) => void };

/** Brings what one breaker tells to a meter. */
export class Feed implements EventSink {
  readonly #source: string;
  readonly #breaker: Breaker;
  readonly #meter: Meter;
  /** The state that each circuit was seen in last. */
  readonly #seen = new Map<string, CircuitState>();
  readonly #removeSink: () => void;
  #sweepAt = 100;

  readonly #handlers: Handlers = {
    SUCCESS: ({ key, durationMs }) => this.#countExchange(key, 'success', durationMs),
    FAILURE: ({ key, durationMs }) => this.#countExchange(key, 'failure', durationMs),
    IGNORE: ({ key, durationMs }) => this.#countExchange(key, 'ignored', durationMs),
    REFUSE: ({ key, error }) => this.#countRefusal(key, error),
    OPEN: ({ key, reason }) => this.#countOpening(key, reason),
    WOULD_OPEN: ({ key, reason }) => this.#countOpening(key, reason),
    HALF_OPEN: ({ key }) => this.#countTransition(key, 'half-open', 'cooldown-elapsed'),
    CLOSE: ({ key, reason }) => this.#countTransition(key, this.#closedState(key), reason),
  };

  /** `source`: what a fault of the meter is reported as. */
  constructor(source: string, breaker: Breaker, meter: Meter) {
    this.#source = source;
    this.#breaker = breaker;
    this.#meter = meter;
    for (const key of breaker.keys()) this.#seen.set(key, breaker.getState(key));
    this.#removeSink = breaker.addSink(this);
  }

  wants(type: BreakerEventName): boolean {
    return type in this.#handlers;
  }

  tell<Type extends BreakerEventName>(type: Type, event: BreakerEvents[Type]): void {
    try {
      this.#handlers[type]?.(event);
    } catch (error) {
      this.#breaker.reportFault(this.#source, error);
    }
  }

  /** Drops what is known of circuits that are gone. Returns the keys that there are. */
  sweep(): readonly string[] {
    const keys = this.#breaker.keys();
    for (const key of keys) this.#seen.set(key, this.#breaker.getState(key));
    this.#keepOnly(keys);
    return keys;
  }

  /** Listens no longer, and forgets all. */
  stop(): void {
    this.#removeSink();
    this.#keepOnly([]);
  }

  #countExchange(key: string, verdict: string, durationMs: number): void {
    this.#see(key);
    this.#meter.countExchange(key, verdict, durationMs);
  }

  #countRefusal(key: string, error: BreakerEvents['REFUSE']['error']): void {
    this.#see(key);
    if (isBreakerOpenError(error)) this.#meter.countRefusal(key, error.state, error.reason);
    else this.#meter.countRefusal(key, this.#breaker.getState(key), 'bulkhead-full');
  }

  #countOpening(key: string, reason: OpenReason): void {
    this.#countTransition(key, reason === 'manual' ? 'forced-open' : 'open', reason);
  }

  #countTransition(key: string, to: CircuitState, reason: Transition['reason']): void {
    const change = transition(to, reason, this.#see(key));
    this.#seen.set(key, to);
    this.#meter.countTransition(key, change);
  }

  /** CLOSE is told on entering `disabled`, too. */
  #closedState(key: string): CircuitState {
    return this.#breaker.getState(key) === 'disabled' ? 'disabled' : 'closed';
  }

  #see(key: string): CircuitState {
    const seen = this.#seen.get(key);
    if (seen !== undefined) return seen;
    // Keys may come and go by the million before anybody asks for figures.
    if (this.#seen.size >= this.#sweepAt) {
      this.#keepOnly(this.#breaker.keys());
      this.#sweepAt = 100 + 2 * this.#seen.size;
    }
    this.#seen.set(key, 'closed');
    return 'closed';
  }

  #keepOnly(keys: readonly string[]): void {
    const kept = new Set(keys);
    for (const key of this.#seen.keys()) {
      if (kept.has(key)) continue;
      this.#meter.forget(key);
      this.#seen.delete(key);
    }
  }
}
