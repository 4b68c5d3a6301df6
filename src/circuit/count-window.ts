import type { Window, WindowFigures } from './window.js';

/** The last `size` calls. */
export class CountWindow implements Window {
  readonly #bad: Uint8Array;
  readonly #totals = { calls: 0, bad: 0 };
  #next = 0;

  constructor(size: number) {
    this.#bad = new Uint8Array(size);
  }

  record(_now: number, bad: boolean): void {
    const size = this.#bad.length;
    this.#totals.calls = Math.min(this.#totals.calls + 1, size);
    this.#totals.bad += Number(bad) - this.#bad[this.#next]!;
    this.#bad[this.#next] = Number(bad);
    this.#next = (this.#next + 1) % size;
  }

  figures(): WindowFigures {
    return { ...this.#totals };
  }
}
