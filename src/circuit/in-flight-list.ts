import type { Permit } from './permit.js';

/**
 * The permits in flight, in the order in which they started, so that the ones that are overdue are
 * found at the head. Linked through the permits themselves: adding and removing cost the same
 * whatever is in flight.
 */
export class InFlightList {
  #head: Permit | undefined;
  #tail: Permit | undefined;

  get head(): Permit | undefined {
    return this.#head;
  }

  add(permit: Permit): void {
    permit.previous = this.#tail;
    if (this.#tail === undefined) this.#head = permit;
    else this.#tail.next = permit;
    this.#tail = permit;
  }

  /** Removes a permit that is in the list. */
  remove(permit: Permit): void {
    const { previous, next } = permit;
    if (previous === undefined) this.#head = next;
    else previous.next = next;
    if (next === undefined) this.#tail = previous;
    else next.previous = previous;
    permit.previous = undefined;
    permit.next = undefined;
  }
}
