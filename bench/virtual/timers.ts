/** One timer of the virtual world; has what libraries ask of one of Node's. */
export class Timer {
  at: number;
  readonly fn: () => void;
  readonly every: number | undefined;
  isStopped = false;

  constructor(at: number, fn: () => void, every?: number) {
    this.at = at;
    this.fn = fn;
    this.every = every;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** Timers in the order in which they are due; of those due at once, the one set first comes first. */
export class Timers {
  readonly #timers: Timer[] = [];

  add(timer: Timer): void {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle]?.at ?? Infinity) <= timer.at) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
  }

  /** Takes out the next one that is due by `until`. */
  take(until: number): Timer | undefined {
    for (let first = this.#timers[0]; first && first.at <= until; first = this.#timers[0]) {
      this.#timers.shift();
      if (!first.isStopped) return first;
    }
    return undefined;
  }
}
