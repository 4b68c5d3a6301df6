import { LRUCache } from 'lru-cache';
import type { Kept } from './kept.js';

/** The values of the headers by which an answer varies, of one request. */
export type VaryingValues = (names: readonly string[]) => unknown;

interface Variants {
  /** No other variants that there are, or were, have it. */
  readonly id: number;
  readonly varying: readonly string[];
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

  /** `asked`: the moment of the request. What was dropped since then stays so. */
  set(key: string, values: VaryingValues, kept: Kept, asked: number): void {
    if (asked < this.#cleared || asked < (this.#dropped.get(key) ?? 0)) return;
    const before = this.#variants.get(key);
    const isSame = String(before?.varying) === String(kept.varying);
    const variants = before && isSame ? before : { id: this.moment(), varying: kept.varying };
    this.#variants.set(key, variants);
    this.#answers.set(nameOf(key, variants, values), kept);
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
}

function nameOf(key: string, { id, varying }: Variants, values: VaryingValues): string {
  return JSON.stringify([key, id, values(varying)]);
}
