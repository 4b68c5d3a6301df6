const sliceMs = 10_000;
const slices = 6;
/** Each is 9 % wider than the one before; the last begins at four minutes. */
const binsPerDoubling = 8;
const bins = 144;

/** How long exchanges took in the last minute, in fixed memory and within 5 %. */
export class Latency {
  readonly #counts = new Uint32Array(slices * bins);
  /** Which ten seconds a slice holds, counted from the clock's start. */
  readonly #held = new Float64Array(slices).fill(-slices);

  record(now: number, durationMs: number): void {
    const number = Math.floor(now / sliceMs);
    const slice = number % slices;
    const start = slice * bins;
    if (this.#held[slice] !== number) {
      this.#held[slice] = number;
      this.#counts.fill(0, start, start + bins);
    }
    const bin = Math.floor(binsPerDoubling * Math.log2(1 + Math.max(0, durationMs)));
    this.#counts[start + Math.min(bin, bins - 1)]! += 1;
  }

  /** The durations in ms that these shares of the exchanges did not exceed; empty without exchanges. */
  quantiles(now: number, shares: readonly number[]): number[] {
    const sums = this.#sums(now);
    const total = sums.reduce((sum, count) => sum + count, 0);
    if (total === 0) return [];
    return shares.map((share) => {
      let rest = Math.ceil(share * total);
      const bin = sums.findIndex((count) => (rest -= count) <= 0);
      return 2 ** ((bin + 0.5) / binsPerDoubling) - 1;
    });
  }

  #sums(now: number): Uint32Array {
    const number = Math.floor(now / sliceMs);
    const sums = new Uint32Array(bins);
    for (let slice = 0; slice < slices; slice += 1) {
      if (number - this.#held[slice]! >= slices) continue;
      for (let bin = 0; bin < bins; bin += 1) sums[bin]! += this.#counts[slice * bins + bin]!;
    }
    return sums;
  }
}
