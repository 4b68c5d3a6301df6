import type { Permit } from './permit.js';

/** How a half-open circuit is probed. */
export interface ProbeRules {
  /** So many must pass to close. */
  readonly probes: number;
  /** At most so many at once. */
  readonly concurrent: number;
  /** How long one may take; `undefined` for the larger of the cooldown and the request's deadline. */
  readonly lease: number | undefined;
}

/** A slot that is kept for a probe, while other processes are asked for the right to send it. */
export interface ProbeTurn {
  readonly probes: Probes;
  /** How long the probe may take, in ms. */
  readonly lease: number;
  /** What the other processes say. */
  isGranted: boolean;
}

/** The slots of one half-open era. */
export class Probes {
  readonly #rules: ProbeRules;
  readonly #running = new Set<Permit>();
  #passed = 0;
  #kept = 0;

  constructor(rules: ProbeRules) {
    this.#rules = rules;
  }

  get hasFreeSlot(): boolean {
    const { probes, concurrent } = this.#rules;
    const taken = this.#running.size + this.#kept;
    return taken < concurrent && taken + this.#passed < probes;
  }

  keep(lease: number): ProbeTurn {
    this.#kept += 1;
    return { probes: this, lease, isGranted: true };
  }

  /** Frees a slot that was kept. */
  free(): void {
    this.#kept -= 1;
  }

  take(permit: Permit): void {
    this.#running.add(permit);
  }

  /** Gives the slot back as if it had never been taken. */
  release(permit: Permit): void {
    this.#running.delete(permit);
  }

  /** Returns whether this was the last pass needed. */
  pass(permit: Permit): boolean {
    this.#running.delete(permit);
    this.#passed += 1;
    return this.#passed >= this.#rules.probes;
  }

  /** The running probe whose lease ends first. */
  get firstToExpire(): Permit | undefined {
    let first: Permit | undefined;
    for (const permit of this.#running) {
      if (first === undefined || permit.leaseEnd < first.leaseEnd) first = permit;
    }
    return first;
  }
}
