import { LRUCache } from 'lru-cache';
import type { Kept } from './kept.js';

/** The values of the headers by which an answer varies, of one request. */
export type VaryingValues = (names: readonly string[]) => unknown;

interface Variants {
  /** No other variants that there are, or were, have it. */
  readonly id: number;
  readonly varying: readonly string[];
  /** The moment of the latest request that was answered so. */
  readonly asked: number;
}

/** The latest good answers, by the keys of their requests and by what they vary by. */
export class Answers {
  readonly #variants: LRUCache<string, Variants>;
  readonly #answers: LRUCache<string, Kept>;
  readonly #dropped: LRUCache<string, number>;
  #cleared = 0;
  #last = 0;

  constructor(max: number) {
    this.#variants = new LRUCache({ max });
    this.#answers = new LRUCache({ max });
    this.#dropped = new LRUCache({ max });
  }

  /** A moment between others. */
  moment(): number {
    this.#last += 1;
    return this.#last;
  }

  find(key: string, values: VaryingValues): Kept | undefined {
    const variants = this.#variants.get(key);
    return variants && this.#answers.get(nameOf(key, variants, values));
  }

  /** What was dropped, or asked for, later than this was asked for stays so. */
  set(key: string, values: VaryingValues, kept: Kept): void {
    const asked = kept.sent.moment;
    if (asked < this.#cleared || asked < (this.#dropped.get(key) ?? 0)) return;
    const variants = this.#variantsWith(key, kept);
    if (variants === undefined) return;
    const name = nameOf(key, variants, values);
    if (asked < (this.#answers.peek(name)?.sent.moment ?? 0)) return;
    this.#variants.set(key, variants);
    this.#answers.set(name, kept);
  }

  /** All variants. `told`: the moment at which that became known. */
  drop(key: string, told: number): void {
    this.#dropped.set(key, told);
    this.#variants.delete(key);
  }

  clear(): void {
    this.#cleared = this.moment();
    this.#variants.clear();
    this.#answers.clear();
    this.#dropped.clear();
  }

  /** Nothing where a request that was asked later was told that it varies by something else. */
  #variantsWith(key: string, { varying, sent: { moment } }: Kept): Variants | undefined {
    const before = this.#variants.get(key);
    if (before === undefined || String(before.varying) !== String(varying)) {
      const isLate = moment < (before?.asked ?? 0);
      return isLate ? undefined : { id: this.moment(), varying, asked: moment };
    }
    return { ...before, asked: Math.max(before.asked, moment) };
  }
}

function nameOf(key: string, { id, varying }: Variants, values: VaryingValues): string {
  return JSON.stringify([key, id, values(varying)]);
}
