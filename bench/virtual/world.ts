import { setImmediate as nextRound } from 'node:timers/promises';
import { randomFrom } from './random.js';
import { Timer, Timers } from './timers.js';

const epoch = Date.UTC(2026, 10, 30, 12);

/**
 * Time, timers and chance for everything that runs in this process: libraries that never heard of a
 * clock option live in it as well as those that did. All promises of one instant come to rest before
 * the next timer runs, so an event takes no time, and two runs with one seed are the same.
 */
export class World {
  readonly #timers = new Timers();
  readonly #random: () => number;
  #now = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** Milliseconds since its beginning. */
  get now(): number {
    return this.#now;
  }

  /** Milliseconds since 1970. */
  get date(): number {
    return epoch + this.#now;
  }

  after(ms: number, fn: () => void): Timer {
    return this.#set(new Timer(this.#now + ms, fn));
  }

  /** Does `play` with the globals replaced, and puts them back. */
  async around(play: () => Promise<void>): Promise<void> {
    const globals = Object.entries(this.#globals());
    const restore = [
      ...globals.map(([name, value]) => replace(globalThis, name, value)),
      replace(Math, 'random', this.#random),
    ];
    try {
      await play();
    } finally {
      for (const undo of restore) undo();
    }
  }

  /** Lets time pass, up to the instant `until`. */
  async pass(until: number): Promise<void> {
    await nextRound();
    for (let due = this.#timers.take(until); due; due = this.#timers.take(until)) {
      this.#now = due.at;
      if (due.every !== undefined) {
        due.at += due.every;
        this.#timers.add(due);
      }
      due.fn();
      await nextRound();
    }
    this.#now = until;
  }

  #globals(): Record<string, unknown> {
    const now = () => this.#now;
    const date = () => this.date;
    const stop = (timer: Timer | undefined) => {
      if (timer) timer.isStopped = true;
    };
    type Task = (...args: unknown[]) => void;
    return {
      Date: class extends Date {
        constructor(value: number | string = date()) {
          super(value);
        }
        static override now = date;
      },
      performance: { now },
      setTimeout: (fn: Task, ms = 0, ...args: unknown[]) =>
        this.after(Math.max(1, ms), () => fn(...args)),
      setInterval: (fn: Task, ms: number, ...args: unknown[]) =>
        this.#set(new Timer(this.#now + ms, () => fn(...args), ms)),
      clearTimeout: stop,
      clearInterval: stop,
    };
  }

  #set(timer: Timer): Timer {
    this.#timers.add(timer);
    return timer;
  }
}

/** Returns the function that puts back what was there. */
function replace(object: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  return () => {
    Reflect.deleteProperty(object, name);
    if (before) Object.defineProperty(object, name, before);
  };
}
