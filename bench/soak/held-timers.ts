import type { Clock } from '../../src/index.js';

/** Real time, and how many timers it holds: those that keep no process alive show nowhere else. */
export class HeldTimers implements Clock {
  readonly #held = new Set<NodeJS.Timeout>();

  get count(): number {
    return this.#held.size;
  }

  now(): number {
    return performance.now();
  }

  setTimeout(fn: () => void, ms: number): NodeJS.Timeout {
    const handle = setTimeout(() => {
      this.#held.delete(handle);
      fn();
    }, ms);
    this.#held.add(handle);
    return handle;
  }

  clearTimeout(handle: unknown): void {
    this.#held.delete(handle as NodeJS.Timeout);
    clearTimeout(handle as NodeJS.Timeout);
  }
}
