import { ManualClock } from '../../src/testing/index.js';

/** Knows which timers are left. */
export class WatchedClock extends ManualClock {
  readonly #pending = new Set<number>();

  get pending(): number {
    return this.#pending.size;
  }

  override setTimeout(fn: () => void, ms: number): number {
    const handle = super.setTimeout(() => {
      this.#pending.delete(handle);
      fn();
    }, ms);
    this.#pending.add(handle);
    return handle;
  }

  override clearTimeout(handle: unknown): void {
    this.#pending.delete(handle as number);
    super.clearTimeout(handle);
  }
}
