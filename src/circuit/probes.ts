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

/** The slots of one half-open era. */
export class Probes {
  readonly #rules: ProbeRules;
  readonly #running = new Set<Permit>();
  #passed = 0;

  constructor(rules: ProbeRules) {
    this.#rules = rules;
  }

  get hasFreeSlot(): boolean {
    const { probes, concurrent } = this.#rules;
    return this.#running.size < concurrent && this.#running.size + this.#passed < probes;
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
