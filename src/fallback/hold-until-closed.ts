import { count, positive, readOptions, type Check } from '../checks.js';
import { hold } from '../http/hold.js';
import type { HoldRules } from '../http/held-line.js';
import type { Fallback, FallbackAnswer, FallbackRequest } from './fallback.js';

/** Limits of `holdUntilClosed`. */
export interface HoldOptions {
  /**
   * How many requests of a circuit may wait. An integer, at least 1.
   * @default 100
   */
  readonly maxWaiting?: number | undefined;
  /**
   * How long one may wait in all, in ms. More than 0; `Infinity` for as long as it takes.
   * @default 30_000
   */
  readonly maxWait?: number | undefined;
}

const checks: Record<keyof HoldOptions, Check> = { maxWaiting: count, maxWait: positive };

class HoldUntilClosed implements Fallback {
  readonly mayHold = true;
  readonly #rules: HoldRules;

  constructor(rules: HoldRules) {
    this.#rules = rules;
  }

  async answer({ refused }: FallbackRequest): Promise<FallbackAnswer | undefined> {
    const ending = refused && (await hold(refused.gate, refused.request, this.#rules));
    return ending && { kind: 'hold', ending };
  }
}

/**
 * Refused requests wait, and are sent when the circuit closes: one, then as those succeed two, four and so
 * on; one of them may be the probe. One that is told "not so often" goes back to where it stood, and from
 * then on fewer go at once. Too many, or too long: the refusal. The caller can abort at any time. A process
 * stays alive while requests wait.
 *
 * It answers no counted failures and no `BulkheadFullError`.
 *
 * @throws TypeError or RangeError where an option is unknown or bad.
 * @example
 * new CircuitBreaker(client, { fallback: holdUntilClosed({ maxWait: 10_000 }) });
 */
export function holdUntilClosed(options: HoldOptions = {}): Fallback {
  const { maxWaiting = 100, maxWait = 30_000 } = readOptions(options, checks);
  return new HoldUntilClosed({ maxWaiting, maxWait });
}
