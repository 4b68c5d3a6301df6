import type { Breaker } from '../breaker.js';
import type { CircuitState } from '../circuit/state.js';
import { Feed, type Meter } from '../metrics/feed.js';
import { states } from '../metrics/states.js';
import type { Transition } from '../metrics/transition.js';
import type { Metrics } from './metrics.js';

/** Brings what one breaker tells, and what it shows, into the metrics. */
export class BreakerMetrics implements Meter {
  readonly #breaker: Breaker;
  readonly #metrics: Metrics;
  /** What removes each series of the counters and the histogram, by the circuit's key. */
  readonly #removals = new Map<string, Map<string, () => void>>();
  readonly #feed: Feed;

  constructor(breaker: Breaker, metrics: Metrics) {
    this.#breaker = breaker;
    this.#metrics = metrics;
    this.#feed = new Feed('prometheus', breaker, this);
  }

  get name(): string {
    return this.#breaker.name;
  }

  /** Whether its breaker is detached, and has nothing to show any more. */
  get isOver(): boolean {
    return this.#breaker.isDetached;
  }

  /** Sets the gauges to what they are now, and drops the series of circuits that are gone. */
  refresh(): void {
    for (const key of this.#feed.sweep()) this.#show(key);
  }

  /** Listens no longer, and takes away all series. */
  stop(): void {
    this.#feed.stop();
  }

  countExchange(key: string, verdict: string, durationMs: number): void {
    const { durations } = this.#metrics;
    const labels = { breaker: this.name, key, verdict };
    durations.observe(labels, durationMs / 1_000);
    this.#remember(key, `exchange ${verdict}`, () => durations.remove(labels));
  }

  countRefusal(key: string, state: CircuitState, reason: string): void {
    const { refused } = this.#metrics;
    const labels = { breaker: this.name, key, state, reason };
    refused.inc(labels);
    this.#remember(key, `refused ${state} ${reason}`, () => refused.remove(labels));
  }

  countTransition(key: string, change: Transition): void {
    const { transitions } = this.#metrics;
    const labels = { breaker: this.name, key, ...change };
    transitions.inc(labels);
    this.#remember(key, Object.values(change).join(' '), () => transitions.remove(labels));
  }

  forget(key: string): void {
    for (const remove of this.#removals.get(key)?.values() ?? []) remove();
    this.#removals.delete(key);
  }

  #show(key: string): void {
    const { state, gauges } = this.#metrics;
    const circuit = { breaker: this.name, key };
    const snapshot = this.#breaker.snapshot(key);
    for (const name of states) {
      state.set({ ...circuit, state: name }, Number(name === snapshot.state));
    }
    for (const { gauge, read } of gauges) gauge.set(circuit, read(snapshot));
  }

  #remember(key: string, series: string, remove: () => void): void {
    const removals = this.#removals.get(key) ?? new Map<string, () => void>();
    this.#removals.set(key, removals);
    if (!removals.has(series)) removals.set(series, remove);
  }
}
