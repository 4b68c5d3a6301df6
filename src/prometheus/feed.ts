import type { CircuitBreaker } from '../circuit-breaker.js';
import type { CircuitState } from '../circuit/state.js';
import { isBreakerOpenError } from '../errors.js';
import type { BreakerEventName, BreakerEvents, EventSink } from '../events.js';
import { KnownCircuits } from './known-circuits.js';
import { states, type Metrics } from './metrics.js';
import { transition, type Transition } from './transition.js';

type Handlers = { readonly [Name in BreakerEventName]?: (event: BreakerEvents[Name]) => void };

/** Brings what one breaker tells, and what it shows, into the metrics. */
export class Feed implements EventSink {
  readonly #breaker: CircuitBreaker;
  readonly #metrics: Metrics;
  readonly #circuits: KnownCircuits;
  readonly #removeSink: () => void;

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

  constructor(breaker: CircuitBreaker, metrics: Metrics) {
    this.#breaker = breaker;
    this.#metrics = metrics;
    this.#circuits = new KnownCircuits(() => breaker.keys());
    for (const key of breaker.keys()) this.#circuits.get(key).state = breaker.getState(key);
    this.#removeSink = breaker.addSink(this);
  }

  get name(): string {
    return this.#breaker.name;
  }

  /** Whether its breaker is detached, and has nothing to show any more. */
  get isOver(): boolean {
    return this.#breaker.isDetached;
  }

  wants(type: BreakerEventName): boolean {
    return type in this.#handlers;
  }

  tell<Type extends BreakerEventName>(type: Type, event: BreakerEvents[Type]): void {
    try {
      this.#handlers[type]?.(event);
    } catch (error) {
      this.#breaker.reportFault('prometheus', error);
    }
  }

  /** Sets the gauges to what they are now, and drops the series of circuits that are gone. */
  refresh(): void {
    for (const key of this.#breaker.keys()) this.#show(key);
    this.#circuits.sweep();
  }

  /** Listens no longer, and takes away all series. */
  stop(): void {
    this.#removeSink();
    this.#circuits.clear();
  }

  #show(key: string): void {
    const { state, gauges } = this.#metrics;
    const circuit = { breaker: this.name, key };
    const snapshot = this.#breaker.snapshot(key);
    this.#circuits.get(key).state = snapshot.state;
    for (const name of states) {
      state.set({ ...circuit, state: name }, Number(name === snapshot.state));
    }
    for (const { gauge, read } of gauges) gauge.set(circuit, read(snapshot));
  }

  #countExchange(key: string, verdict: string, durationMs: number): void {
    const { durations } = this.#metrics;
    const labels = { breaker: this.name, key, verdict };
    durations.observe(labels, durationMs / 1_000);
    this.#remember(key, `exchange ${verdict}`, () => durations.remove(labels));
  }

  #countRefusal(key: string, error: BreakerEvents['REFUSE']['error']): void {
    const { refused } = this.#metrics;
    const { state, reason } = isBreakerOpenError(error)
      ? error
      : { state: this.#breaker.getState(key), reason: 'bulkhead-full' };
    const labels = { breaker: this.name, key, state, reason };
    refused.inc(labels);
    this.#remember(key, `refused ${state} ${reason}`, () => refused.remove(labels));
  }

  #countOpening(key: string, reason: Transition['reason']): void {
    this.#countTransition(key, reason === 'manual' ? 'forced-open' : 'open', reason);
  }

  #countTransition(key: string, to: CircuitState, reason: Transition['reason']): void {
    const { transitions } = this.#metrics;
    const known = this.#circuits.get(key);
    const change = transition(to, reason, known.state);
    known.state = to;
    const labels = { breaker: this.name, key, ...change };
    transitions.inc(labels);
    this.#remember(key, Object.values(change).join(' '), () => transitions.remove(labels));
  }

  /** CLOSE is told on entering `disabled`, too. */
  #closedState(key: string): CircuitState {
    return this.#breaker.getState(key) === 'disabled' ? 'disabled' : 'closed';
  }

  #remember(key: string, series: string, remove: () => void): void {
    const { removals } = this.#circuits.get(key);
    if (!removals.has(series)) removals.set(series, remove);
  }
}
