import { startTimer, type Clock } from '../circuit/clock.js';

export interface BulkheadRules {
  /** Exchanges at once. */
  readonly maxConcurrent: number;
  /** Requests that may wait for a place. */
  readonly maxQueued: number;
  /** How long, in ms. */
  readonly maxQueueWait: number;
}

/** How waiting for a place ended. */
export type Waited = 'place' | 'full' | 'opened' | 'cancelled';

/** Of all bulkheads where nobody has waited yet. */
const nobody = new Set<(waited: Waited) => void>();

/** Limits what is in flight; the first to wait is the first to go. */
export class Bulkhead {
  readonly #rules: BulkheadRules;
  readonly #clock: Clock;
  #waiting: Set<(waited: Waited) => void> = nobody;
  #inside = 0;

  constructor(rules: BulkheadRules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  /** Whether nobody is inside, or about to be. */
  get isEmpty(): boolean {
    return this.#inside === 0 && this.#waiting.size === 0;
  }

  get queued(): number {
    return this.#waiting.size;
  }

  /** Takes a place, if one is free. */
  tryEnter(): boolean {
    if (this.#inside >= this.#rules.maxConcurrent) return false;
    this.#inside += 1;
    return true;
  }

  /**
   * Waits for a place. `onCancel` is given the function that ends the waiting for the caller, and
   * returns the one that lets go of it. `heldMs`: how much longer a request may wait that was held,
   * which always has room to.
   */
  wait(onCancel: (cancel: () => void) => () => void, heldMs?: number): Promise<Waited> {
    const { maxQueued } = this.#rules;
    if (heldMs === undefined && this.#waiting.size >= maxQueued) return Promise.resolve('full');
    if (this.#waiting === nobody) this.#waiting = new Set();
    const maxQueueWait = Math.min(this.#rules.maxQueueWait, heldMs ?? Infinity);
    return new Promise((resolve) => {
      let letGo: () => void = () => undefined;
      const end = (waited: Waited) => {
        this.#waiting.delete(end);
        stopTimer();
        letGo();
        resolve(waited);
      };
      this.#waiting.add(end);
      const stopTimer = startTimer(this.#clock, maxQueueWait, () => end('full'));
      letGo = onCancel(() => end('cancelled'));
    });
  }

  /** Gives a place back, to the one who waits longest if anybody does. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#inside -= 1;
    else next('place');
  }

  /** Nobody waits for a circuit that has opened. */
  refuseWaiting(): void {
    for (const end of this.#waiting) end('opened');
  }
}
