import { readDate } from './dates.js';
import type { HeaderFields } from './header-fields.js';
import type { ServerWait, ServerWaitOptions } from './read-server-wait.js';
import { readNumber, readValues, trim, type WaitUnit, type WaitValue } from './values.js';

/** Beyond this, a time in the past is a constant that somebody wrote down once. */
const day = 86_400_000;

/** Turns what headers say into a wait from now on, by the server's own clock where it shows one. */
export class Measure {
  /** How long ago the answer was made, in ms, by its `Age`. */
  readonly age: number;
  readonly #now: number;
  readonly #serversNow: number;
  readonly #maxWait: number;
  readonly #units: Readonly<Record<string, WaitUnit>>;

  constructor(fields: HeaderFields, { now, maxWait = day, units = {} }: ServerWaitOptions) {
    this.#now = now ?? Date.now();
    this.#maxWait = maxWait;
    this.#units = units;
    this.age = (readNumber(trim(fields.get('age')?.[0] ?? '')) ?? 0) * 1_000;
    const date = readDate(trim(fields.get('date')?.[0] ?? ''), this.#now);
    this.#serversNow = date === undefined ? this.#now : date.at + this.age;
  }

  /** The longest wait that any of these headers gives. */
  longest(
    fields: HeaderFields,
    names: readonly string[],
    usualUnit: WaitUnit | undefined,
  ): ServerWait | undefined {
    let longest: ServerWait | undefined;
    for (const from of names) {
      const unit = Object.hasOwn(this.#units, from) ? this.#units[from] : usualUnit;
      for (const value of readValues(fields.get(from) ?? [], unit, this.#now)) {
        const wait = this.#waitOf(value, from);
        if (wait !== undefined && wait.ms >= (longest?.ms ?? 0)) longest = wait;
      }
    }
    return longest;
  }

  inSeconds(seconds: number, from: string): ServerWait | undefined {
    return this.#waitOf({ kind: 'delta', ms: seconds * 1_000 }, from);
  }

  #waitOf(value: WaitValue, from: string): ServerWait | undefined {
    const ms = value.kind === 'delta' ? value.ms : this.#until(value.at);
    if (ms === undefined) return undefined;
    // A server's 1.0479 s are 1048 ms; what only floating point adds is no millisecond.
    const whole = Math.ceil(Math.min(ms, this.#maxWait) - 1e-6);
    const isWholeSecond = value.kind === 'instant' && value.isWholeSecond;
    return { ms: Math.max(0, whole), from, isWholeSecond };
  }

  /** By the server's clock, unless only ours makes sense of it. */
  #until(at: number): number | undefined {
    const waits = [at - this.#serversNow, at - this.#now];
    const sane = waits.find((ms) => ms > -day && ms <= this.#maxWait);
    return sane ?? waits.find((ms) => ms > -day);
  }
}
