import type { Window, WindowFigures } from './window.js';

const bucketCount = 10;

/** The calls of the last `duration` ms, in 10 buckets: the current one and the nine before it. */
export class TimeWindow implements Window {
  readonly #bucketWidth: number;
  readonly #calls = new Float64Array(bucketCount);
  readonly #bad = new Float64Array(bucketCount);
  readonly #totals = { calls: 0, bad: 0 };
  #current = -Infinity;

  constructor(duration: number) {
    this.#bucketWidth = duration / bucketCount;
  }

  record(now: number, bad: boolean): void {
    this.#roll(now);
    const slot = this.#slot(this.#current);
    this.#calls[slot]! += 1;
    this.#totals.calls += 1;
    if (!bad) return;
    this.#bad[slot]! += 1;
    this.#totals.bad += 1;
  }

  figures(now: number): WindowFigures {
    this.#roll(now);
    return { ...this.#totals };
  }

  #roll(now: number): void {
    const next = Math.floor(now / this.#bucketWidth);
    const stale = Math.min(next - this.#current, bucketCount);
    for (let age = 0; age < stale; age += 1) this.#empty(this.#slot(next - age));
    if (stale > 0) this.#current = next;
  }

  #empty(slot: number): void {
    this.#totals.calls -= this.#calls[slot]!;
    this.#totals.bad -= this.#bad[slot]!;
    this.#calls[slot] = 0;
    this.#bad[slot] = 0;
  }

  #slot(bucket: number): number {
    return ((bucket % bucketCount) + bucketCount) % bucketCount;
  }
}
