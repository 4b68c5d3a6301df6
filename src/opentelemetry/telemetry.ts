import { trace, type Attributes, type BatchObservableResult } from '@opentelemetry/api';
import type { Breaker } from '../breaker.js';
import type { CircuitState } from '../circuit/state.js';
import { Feed, type Meter } from '../metrics/feed.js';
import { stateCodes, states } from '../metrics/states.js';
import type { Transition } from '../metrics/transition.js';
import type { Instruments } from './instruments.js';

/** So many of those with these attributes. */
interface Count {
  readonly attributes: Attributes;
  count: number;
}

/** The counts of one circuit, by what tells them apart. */
interface Counts {
  readonly refused: Map<string, Count>;
  readonly transitions: Map<string, Count>;
}

/** What one breaker shows to OpenTelemetry. */
export class Telemetry implements Meter {
  readonly #breaker: Breaker;
  readonly #instruments: Instruments;
  readonly #addsSpanEvents: boolean;
  readonly #counts = new Map<string, Counts>();
  readonly #feed: Feed;

  constructor(breaker: Breaker, instruments: Instruments, addsSpanEvents: boolean) {
    this.#breaker = breaker;
    this.#instruments = instruments;
    this.#addsSpanEvents = addsSpanEvents;
    this.#feed = new Feed('opentelemetry', breaker, this);
  }

  /** Observes every circuit that there is now. */
  observe(result: BatchObservableResult): void {
    if (this.#breaker.isDetached) {
      this.stop();
      return;
    }
    for (const key of this.#feed.sweep()) this.#observeCircuit(result, key);
  }

  stop(): void {
    this.#feed.stop();
  }

  countExchange(_key: string, verdict: string, durationMs: number): void {
    // Without the key: a histogram keeps every series for ever.
    this.#instruments.durations.record(durationMs / 1_000, {
      'axios.circuit.breaker': this.#breaker.name,
      'axios.circuit.verdict': verdict,
    });
  }

  countRefusal(key: string, state: CircuitState, reason: string): void {
    const { refused } = this.#countsOf(key);
    countOne(refused, { 'axios.circuit.state': state, 'axios.circuit.reason': reason });
  }

  countTransition(key: string, { from, to, reason }: Transition): void {
    const attributes = {
      'axios.circuit.transition.from': from,
      'axios.circuit.transition.to': to,
      'axios.circuit.reason': reason,
    };
    countOne(this.#countsOf(key).transitions, attributes);
    if (!this.#addsSpanEvents) return;
    const span = trace.getActiveSpan();
    // A timer runs in the context of a request that may be over.
    if (!span?.isRecording()) return;
    span.addEvent('axios.circuit.transition', { ...this.#circuit(key), ...attributes });
  }

  forget(key: string): void {
    this.#counts.delete(key);
  }

  #observeCircuit(result: BatchObservableResult, key: string): void {
    const { observed } = this.#instruments;
    const circuit = this.#circuit(key);
    const snapshot = this.#breaker.snapshot(key);
    for (const state of states) {
      const attributes = { ...circuit, 'axios.circuit.state': state };
      result.observe(observed.state, Number(state === snapshot.state), attributes);
    }
    result.observe(observed.stateCode, stateCodes[snapshot.state], circuit);
    result.observe(observed.failureRatio, snapshot.failureRate, circuit);
    result.observe(observed.slowRatio, snapshot.slowRate, circuit);
    result.observe(observed.retryAfter, snapshot.retryAfterMs / 1_000, circuit);
    result.observe(observed.inFlight, snapshot.inFlight, circuit);
    result.observe(observed.queued, snapshot.queued, circuit);
    const { refused, transitions } = this.#countsOf(key);
    for (const { attributes, count } of refused.values()) {
      result.observe(observed.refused, count, { ...circuit, ...attributes });
    }
    for (const { attributes, count } of transitions.values()) {
      result.observe(observed.transitions, count, { ...circuit, ...attributes });
    }
  }

  #circuit(key: string): Attributes {
    return { 'axios.circuit.breaker': this.#breaker.name, 'axios.circuit.key': key };
  }

  #countsOf(key: string): Counts {
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const counts: Counts = { refused: new Map(), transitions: new Map() };
    this.#counts.set(key, counts);
    return counts;
  }
}

function countOne(counts: Map<string, Count>, attributes: Attributes): void {
  const id = Object.values(attributes).join(' ');
  const known = counts.get(id);
  if (known) known.count += 1;
  else counts.set(id, { attributes, count: 1 });
}
