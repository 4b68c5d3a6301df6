import type { Window, WindowFigures } from './window.js';

const bucketCount = 10;
const none: readonly number[] = [];
const empty: readonly number[] = Array.from({ length: bucketCount }, () => 0);

/** The calls of the last `duration` ms, in 10 buckets: the current one and the nine before it. */
export class TimeWindow implements Window {
  readonly #bucketWidth: number;
  // Plain arrays: of so few numbers they take a third of what typed ones do.
  readonly #calls: number[] = empty.slice();
  /** Made for the first bad one: most windows of many see none. */
  #bad: number[] | undefined;
  #callsInAll = 0;
  #badInAll = 0;
  #current = -Infinity;

  constructor(duration: number) {
    this.#bucketWidth = duration / bucketCount;
  }

  record(now: number, bad: boolean): void {
    this.#roll(now);
    const slot = this.#slot(this.#current);
    this.#calls[slot]! += 1;
    this.#callsInAll += 1;
    if (!bad) return;
    this.#bad ??= empty.slice();
    this.#bad[slot]! += 1;
    this.#badInAll += 1;
  }

  /** As of `now`, without forgetting anything: a clock may step back after it was read. */
  figures(now: number): WindowFigures {
    let calls = this.#callsInAll;
    let bad = this.#badInAll;
    for (const slot of this.#staleSlots(now)) {
      calls -= this.#calls[slot]!;
      bad -= this.#bad?.[slot] ?? 0;
    }
    return { calls, bad };
  }

  #roll(now: number): void {
    for (const slot of this.#staleSlots(now)) {
      this.#callsInAll -= this.#calls[slot]!;
      this.#calls[slot] = 0;
      if (this.#bad === undefined) continue;
      this.#badInAll -= this.#bad[slot]!;
      this.#bad[slot] = 0;
    }
    this.#current = Math.max(this.#current, Math.floor(now / this.#bucketWidth));
  }

  /** The buckets that have fallen out of the window by `now`: they are the next to be used again. */
  #staleSlots(now: number): readonly number[] {
    const next = Math.floor(now / this.#bucketWidth);
    if (next <= this.#current) return none;
    const length = Math.min(next - this.#current, bucketCount);
    return Array.from({ length }, (_, age) => this.#slot(next - age));
  }

  #slot(bucket: number): number {
    return ((bucket % bucketCount) + bucketCount) % bucketCount;
  }
}
