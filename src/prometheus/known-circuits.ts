import type { CircuitState } from '../circuit/state.js';

/** What is known of one circuit. */
export interface KnownCircuit {
  /** As it was seen last. */
  state: CircuitState;
  /** What removes each of its series of counters and histograms. */
  readonly removals: Map<string, () => void>;
}

/** The circuits of a breaker that have series, so that these can go with them. */
export class KnownCircuits {
  readonly #circuits = new Map<string, KnownCircuit>();
  /** The keys of the circuits that there are. */
  readonly #keys: () => readonly string[];
  #sweepAt = 100;

  constructor(keys: () => readonly string[]) {
    this.#keys = keys;
  }

  get(key: string): KnownCircuit {
    const known = this.#circuits.get(key);
    if (known !== undefined) return known;
    // Keys may come and go by the million before anybody scrapes.
    if (this.#circuits.size >= this.#sweepAt) {
      this.sweep();
      this.#sweepAt = 100 + 2 * this.#circuits.size;
    }
    const added: KnownCircuit = { state: 'closed', removals: new Map() };
    this.#circuits.set(key, added);
    return added;
  }

  /** Removes the series of circuits that are gone. */
  sweep(): void {
    const kept = new Set(this.#keys());
    for (const [key, circuit] of this.#circuits) if (!kept.has(key)) this.#forget(key, circuit);
  }

  /** Removes all series. */
  clear(): void {
    for (const [key, circuit] of this.#circuits) this.#forget(key, circuit);
  }

  #forget(key: string, { removals }: KnownCircuit): void {
    for (const remove of removals.values()) remove();
    this.#circuits.delete(key);
  }
}
