import { readDate } from './dates.js';
import type { HeaderFields } from './header-fields.js';
import type { ServerWait, ServerWaitOptions } from './read-server-wait.js';
import {
  readNumber,
  readNumberAs,
  readValues,
  trim,
  type WaitUnit,
  type WaitValue,
} from './values.js';

/** Beyond this, a time in the past is a constant that somebody wrote down once. */
const day = 86_400_000;

/** Turns what headers say into a wait from now on, by the server's own clock where it shows one. */
export class Measure {
  /** How long ago the answer was made, in ms, by its `Age`. */
  readonly age: number;
  readonly #now: number;
  readonly #serversNow: number;
  readonly #maxWait: number;
  readonly #units: ReadonlyMap<string, WaitUnit>;

  constructor(fields: HeaderFields, { now, maxWait = day, units = {} }: ServerWaitOptions) {
    this.#now = now ?? Date.now();
    this.#maxWait = maxWait;
    this.#units = new Map(
      Object.entries(units).map(([name, unit]) => [name.toLowerCase(), unit] as const),
    );
    this.age = (readNumber(trim(fields.get('age')?.[0] ?? '')) ?? 0) * 1_000;
    const date = readDate(trim(fields.get('date')?.[0] ?? ''), this.#now);
    this.#serversNow = date === undefined ? this.#now : date + this.age;
  }

  /** The longest wait that any of these headers gives. */
  longest(
    fields: HeaderFields,
    names: readonly string[],
    usualUnit: WaitUnit | undefined,
  ): ServerWait | undefined {
    let longest: ServerWait | undefined;
    for (const from of names) {
      const unit = this.#units.get(from) ?? usualUnit;
      for (const value of readValues(fields.get(from) ?? [], unit, this.#serversNow)) {
        const wait = this.#waitOf(value, from);
        if (wait !== undefined && wait.ms >= (longest?.ms ?? 0)) longest = wait;
      }
    }
    return longest;
  }

  /** What a number says of which it is known that it stands for seconds, unless `units` differs. */
  inSeconds(number: number, from: string): ServerWait | undefined {
    const value = readNumberAs(number, this.#units.get(from) ?? 's');
    return value && this.#waitOf(value, from);
  }

  #waitOf(value: WaitValue, from: string): ServerWait | undefined {
    const ms = value.kind === 'delta' ? value.ms : this.#until(value.at);
    if (ms === undefined) return undefined;
    // A server's 1.0479 s are 1048 ms; what only floating point adds is no millisecond.
    const whole = Math.min(Math.ceil(ms - 1e-6), Math.floor(this.#maxWait));
    const isWholeSecond = value.kind === 'instant' && value.at % 1_000 === 0;
    return { ms: Math.max(0, whole), from, isWholeSecond };
  }

  /** By the server's clock, unless only ours makes sense of it. */
  #until(at: number): number | undefined {
    const waits = [at - this.#serversNow, at - this.#now].filter((ms) => ms > -day);
    return waits.find((ms) => ms <= Math.max(day, this.#maxWait)) ?? waits[0];
  }
}
