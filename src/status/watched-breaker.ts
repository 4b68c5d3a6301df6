import type { Breaker } from '../breaker.js';
import { isRefusing, type CircuitState, type OpenReason } from '../circuit/state.js';
import type { BreakerEventName, BreakerEvents, EventSink } from '../events.js';
import type { CircuitSnapshot } from '../snapshot.js';
import { CircuitRecord, type Change } from './circuit-record.js';
import type { Sighting } from './circuit-status.js';

/** What is asked of a breaker; every one is fit, of whatever copy of the package. */
export type ShownBreaker = Pick<
  Breaker,
  'name' | 'keys' | 'getState' | 'getStatus' | 'snapshot' | 'open' | 'close' | 'disable'
>;

/** With what the types of the package hide of it. */
export type Teller = ShownBreaker & {
  readonly isDetached?: boolean;
  addSink(sink: EventSink): () => void;
};

export interface Surroundings {
  readonly now: () => number;
  readonly newId: () => number;
  /** Told of a circuit whose state has changed. */
  readonly onChange: (sighting: Sighting) => void;
}

type Verdict = 'success' | 'failure';
type Hearing = { [Type in BreakerEventName]?: (event: BreakerEvents[Type], now: number) => void };

/** The key under which a breaker is remembered that has no circuit yet. */
const noKey = '';

/** Remembers what a breaker tells, of each circuit that it has. */
export class WatchedBreaker implements EventSink {
  readonly breaker: ShownBreaker;
  /** Its name, or what tells it from others of that name. */
  readonly label: string;
  readonly #around: Surroundings;
  readonly #records = new Map<string, CircuitRecord>();
  readonly #removeSink: () => void;
  /** With more records than this, some are of circuits that are gone. */
  #enough = 0;

  readonly #hearing: Hearing = {
    SUCCESS: ({ key, durationMs }, now) => this.#countEnded(key, now, 'success', durationMs),
    FAILURE: ({ key, durationMs }, now) => this.#countEnded(key, now, 'failure', durationMs),
    REFUSE: ({ key }, now) => this.#recordOf(key, now).timeline.count(now, 'refused'),
    OPEN: ({ key, reason }, now) => this.#noteOpening(key, now, reason),
    WOULD_OPEN: ({ key, reason }, now) => this.#noteOpening(key, now, reason),
    HALF_OPEN: ({ key }, now) => this.#note(this.#recordOf(key, now), now, 'half-open'),
    CLOSE: ({ key, reason }, now) =>
      this.#note(this.#recordOf(key, now), now, this.breaker.getState(key), reason),
  };

  constructor(breaker: Teller, label: string, around: Surroundings) {
    this.breaker = breaker;
    this.label = label;
    this.#around = around;
    this.#removeSink = breaker.addSink(this);
    this.look();
  }

  wants(type: BreakerEventName): boolean {
    return type in this.#hearing;
  }

  tell<Type extends BreakerEventName>(type: Type, event: BreakerEvents[Type]): void {
    this.#hearing[type]?.(event, this.#around.now());
  }

  /** Sees what no event tells: circuits that are new or gone, and those that were disabled. */
  look(): void {
    const now = this.#around.now();
    for (const key of this.#forget()) this.#see(key, now, this.#stateOf(key));
  }

  /** Each circuit as of now. */
  sightings(): Sighting[] {
    return [...this.#forget()].map((key) => {
      const now = this.#around.now();
      const snapshot = this.breaker.snapshot(ownKey(key));
      return this.#sight(this.#see(key, now, snapshot.state), now, snapshot);
    });
  }

  records(): Iterable<CircuitRecord> {
    return this.#records.values();
  }

  /** Hears no more. */
  leave(): void {
    this.#removeSink();
  }

  #countEnded(key: string, now: number, verdict: Verdict, durationMs: number): void {
    const record = this.#recordOf(key, now);
    record.timeline.count(now, verdict);
    record.latency.record(now, durationMs);
  }

  #noteOpening(key: string, now: number, reason: OpenReason): void {
    const state = reason === 'manual' ? 'forced-open' : 'open';
    this.#note(this.#recordOf(key, now), now, state, reason);
  }

  #note(record: CircuitRecord, now: number, state: CircuitState, reason?: Change['reason']): void {
    if (!record.enter(now, state, reason)) return;
    this.#around.onChange(this.#sight(record, now, this.breaker.snapshot(ownKey(record.key))));
  }

  #sight(record: CircuitRecord, now: number, snapshot: CircuitSnapshot): Sighting {
    const { state } = snapshot;
    const refuses = isRefusing(state) && this.breaker.getStatus(ownKey(record.key));
    return { now, breaker: this.label, record, snapshot, refuses };
  }

  /** Forgets circuits that are gone; returns the keys of those that there are. */
  #forget(): Set<string> {
    const keys = this.breaker.keys();
    const present = new Set(keys.length === 0 ? [noKey] : keys);
    for (const key of this.#records.keys()) if (!present.has(key)) this.#records.delete(key);
    this.#enough = 2 * present.size + 16;
    return present;
  }

  #see(key: string, now: number, state: CircuitState): CircuitRecord {
    const record = this.#records.get(key) ?? this.#create(key, now, state);
    this.#note(record, now, state);
    return record;
  }

  /** The record of a circuit that tells something. */
  #recordOf(key: string, now: number): CircuitRecord {
    if (!this.#records.has(key) && this.#records.size >= this.#enough) this.#forget();
    const known = this.#records.get(key);
    if (known !== undefined) return known;
    // Where that is the event of its opening, it has opened by now.
    const state = this.#stateOf(key);
    return this.#create(key, now, isRefusing(state) ? 'closed' : state);
  }

  #create(key: string, now: number, state: CircuitState): CircuitRecord {
    const record = new CircuitRecord(this.#around.newId(), key, now, state);
    this.#records.set(key, record);
    return record;
  }

  #stateOf(key: string): CircuitState {
    return this.breaker.getState(ownKey(key));
  }
}

function ownKey(key: string): string | undefined {
  return key === noKey ? undefined : key;
}
