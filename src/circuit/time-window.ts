import type { Window, WindowFigures } from './window.js';

const bucketCount = 10;

/** The calls of one tenth of the window's duration. */
interface Bucket {
  readonly number: number;
  readonly calls: number;
  readonly bad: number;
}

const none: readonly Bucket[] = [];

/** The calls of the last `duration` ms, in 10 buckets: the current one and the nine before it. */
export class TimeWindow implements Window {
  readonly #bucketWidth: number;
  /** Those before the current one: most windows of many are used too seldom to have any. */
  #earlier = none;
  #number: number | undefined;
  #calls = 0;
  #bad = 0;

  constructor(duration: number) {
    this.#bucketWidth = duration / bucketCount;
  }

  record(now: number, bad: boolean): void {
    this.#roll(this.#numberAt(now));
    this.#calls += 1;
    if (bad) this.#bad += 1;
  }

  /** As of `now`, without forgetting anything: a clock may step back after it was read. */
  figures(now: number): WindowFigures {
    const number = this.#numberAt(now);
    const isOver = isStale(this.#number ?? number, number);
    let calls = isOver ? 0 : this.#calls;
    let bad = isOver ? 0 : this.#bad;
    for (const bucket of this.#earlier) {
      if (isStale(bucket.number, number)) continue;
      calls += bucket.calls;
      bad += bucket.bad;
    }
    return { calls, bad };
  }

  /** Begins another bucket, once its time has come. */
  #roll(number: number): void {
    const current = (this.#number ??= number);
    if (number <= current) return;
    const ended = { number: current, calls: this.#calls, bad: this.#bad };
    this.#earlier = [...this.#earlier, ended].filter((bucket) => !isStale(bucket.number, number));
    this.#number = number;
    this.#calls = 0;
    this.#bad = 0;
  }

  #numberAt(now: number): number {
    return Math.floor(now / this.#bucketWidth);
  }
}

/** Whether a bucket has fallen out of the window that ends with another. */
function isStale(number: number, last: number): boolean {
  return last - number >= bucketCount;
}
