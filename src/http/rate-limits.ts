import type { AxiosResponse } from 'axios';
import type { RateLimit } from '../circuit/permit.js';
import { catchRejection, isPromiseLike, type Faults } from '../faults.js';
import { describe } from '../describe.js';
import { isRateLimitShaped } from './is-failure.js';
import {
  readExhaustedQuota,
  readServerWait,
  type ServerWaitOptions,
} from './server-wait/read-server-wait.js';

/**
 * Says how long a server wants not to be asked, of an answer that was judged a failure: in ms, as the
 * instant when it may be asked again, or nothing.
 */
export type WaitHook = (response: AxiosResponse) => number | Date | null | undefined;

/** What to make of answers that say: not so often. */
export interface RateLimitRules extends ServerWaitOptions {
  readonly minWait: number;
  readonly maxWait: number;
  /** The longest wait where the status is neither 429 nor 403. */
  readonly maxWaitOther: number;
  readonly jitter: number;
  readonly wait: WaitHook | undefined;
  readonly preempt: boolean;
}

interface Stated {
  readonly ms: number;
  readonly from: string;
}

/** Finds the answers that say: not so often, and for how long. Never throws. */
export class RateLimits {
  readonly #rules: RateLimitRules;
  readonly #random: () => number;
  readonly #faults: Faults;

  constructor(rules: RateLimitRules, random: () => number, faults: Faults) {
    this.#rules = rules;
    this.#random = random;
    this.#faults = faults;
  }

  /** Of an answer that was judged a failure. */
  ofFailure(response: AxiosResponse | undefined): RateLimit | undefined {
    if (!response) return undefined;
    const { status } = response;
    const isByStatus = status === 429 || (status === 403 && isRateLimitShaped(response.headers));
    const endsByClock = status === 429 || status === 403;
    const cap = endsByClock ? this.#rules.maxWait : this.#rules.maxWaitOther;
    const stated = this.#askHook(response) ?? this.#read(readServerWait, response, cap);
    const limit = this.#limit(stated, cap, endsByClock ? 'clock' : 'probe');
    return isByStatus || limit.waitMs !== undefined ? limit : undefined;
  }

  /** Of an answer that was judged a success, where that may open before a refusal is needed. */
  ofSuccess(response: AxiosResponse): RateLimit | undefined {
    if (!this.#rules.preempt) return undefined;
    const { maxWait } = this.#rules;
    const stated = this.#read(readExhaustedQuota, response, maxWait);
    return stated && this.#limit(stated, maxWait, 'clock');
  }

  #limit(stated: Stated | undefined, cap: number, recovery: RateLimit['recovery']): RateLimit {
    const { minWait, jitter } = this.#rules;
    const silent = { waitMs: undefined, from: undefined, recovery };
    if (stated === undefined) return silent;
    const wanted = Math.max(stated.ms, minWait) * (1 + jitter * this.#random());
    const waitMs = Math.min(Math.ceil(wanted), cap);
    return waitMs === 0 ? silent : { waitMs, from: stated.from, recovery };
  }

  #read(read: typeof readServerWait, response: AxiosResponse, maxWait: number): Stated | undefined {
    const wait = read(response, { ...this.#rules, maxWait });
    // An instant of whole seconds is over only at the end of that second.
    return wait && { ms: wait.ms + (wait.isWholeSecond ? 1_000 : 0), from: wait.from };
  }

  #askHook(response: AxiosResponse): Stated | undefined {
    const from = 'rateLimit.wait';
    try {
      const { wait } = this.#rules;
      const answer: unknown = wait === undefined ? undefined : wait(response);
      if (answer === undefined || answer === null) return undefined;
      catchRejection(answer);
      const ms = answer instanceof Date ? answer.getTime() - Date.now() : answer;
      if (typeof ms === 'number' && ms === ms && (ms >= 0 || answer instanceof Date)) {
        return { ms: Math.max(0, ms), from };
      }
      const got = isPromiseLike(answer) ? 'a promise' : describe(answer);
      throw new TypeError(`Expected \`${from}\` to return ms, a Date or nothing, got ${got}`);
    } catch (error) {
      this.#faults.report(from, error);
      return undefined;
    }
  }
}
