import type { Clock } from '../circuit/clock.js';

interface Timer {
  readonly at: number;
  readonly fn: () => void;
}

/**
 * A clock that stands still until it is told to go on: drives a breaker through hours without
 * waiting.
 *
 * @example
 * const clock = new ManualClock();
 * const breaker = new CircuitBreaker(client, { clock, cooldown: 60_000 });
 * breaker.open();
 * clock.advance(60_000);
 */
export class ManualClock implements Clock {
  #now: number;
  #lastHandle = 0;
  readonly #timers = new Map<number, Timer>();

  /**
   * `start`: the first instant, in ms.
   * @throws TypeError where it is not a finite number.
   */
  constructor(start = 0) {
    if (!Number.isFinite(start)) {
      throw new TypeError(`Expected \`start\` to be a finite number, got ${String(start)}`);
    }
    this.#now = start;
  }

  /** The instant it stands at, in ms. */
  now(): number {
    return this.#now;
  }

  /** Calls `fn` when the clock has been advanced by `ms`, or by 1 where that is less, as timers do. */
  setTimeout(fn: () => void, ms: number): number {
    this.#lastHandle += 1;
    this.#timers.set(this.#lastHandle, { at: this.#now + Math.max(1, ms), fn });
    return this.#lastHandle;
  }

  /** Stops a timer; an ended one is no error. */
  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as number);
  }

  /**
   * Goes on by `ms` milliseconds and runs the timers that are due, in order, each at its own instant;
   * also those that they set meanwhile.
   * @throws RangeError where `ms` is not a finite number of at least 0.
   */
  advance(ms: number): void {
    if (!(ms >= 0 && ms < Infinity)) {
      throw new RangeError(`Expected \`ms\` to be a finite number, 0 or more, got ${String(ms)}`);
    }
    const end = this.#now + ms;
    for (let due = this.#firstDue(end); due !== undefined; due = this.#firstDue(end)) {
      const [handle, { at, fn }] = due;
      this.#timers.delete(handle);
      this.#now = Math.max(this.#now, at);
      fn();
    }
    this.#now = end;
  }

  #firstDue(end: number): [number, Timer] | undefined {
    let first: [number, Timer] | undefined;
    for (const entry of this.#timers) {
      if (entry[1].at <= end && (first === undefined || entry[1].at < first[1].at)) first = entry;
    }
    return first;
  }
}
