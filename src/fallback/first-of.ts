import type { RequestConfig } from '../http/axios-like.js';
import { isAborted } from '../http/cancellation.js';
import { degrade } from './degrade.js';
import type {
  Fallback,
  FallbackAnswer,
  FallbackFunction,
  FallbackObserver,
  FallbackRequest,
  ObservedRequest,
} from './fallback.js';

class FirstOf implements Fallback {
  readonly #fallbacks: readonly Fallback[];

  constructor(fallbacks: readonly Fallback[]) {
    this.#fallbacks = fallbacks;
  }

  get mayHold(): boolean {
    return this.#fallbacks.some(({ mayHold }) => mayHold === true);
  }

  async answer(request: FallbackRequest): Promise<FallbackAnswer | undefined> {
    let thrown: { readonly error: unknown } | undefined;
    for (const fallback of this.#fallbacks) {
      try {
        const answer = await fallback.answer(request);
        if (answer !== undefined) return answer;
      } catch (error) {
        if (isAborted(request.config as RequestConfig)) throw error;
        thrown = { error };
      }
    }
    if (thrown) throw thrown.error;
    return undefined;
  }

  observe(request: ObservedRequest): FallbackObserver {
    const observers = this.#fallbacks.map((fallback) => fallback.observe?.(request));
    return (response, isTransformed) => {
      for (const observer of observers) observer?.(response, isTransformed);
    };
  }
}

/**
 * The first of several fallbacks that has an answer; one that throws has none. Where none has, the caller
 * gets what was thrown last, else the error that needed an answer.
 *
 * @example
 * const backup = { baseURL: 'https://backup.example.com', circuitBreaker: false } as const;
 * const fallback = firstOf(
 *   async ({ url = '/' }) => (await client.get(url, backup)).data,
 *   staticFallback([]),
 * );
 */
export function firstOf(...fallbacks: (Fallback | FallbackFunction)[]): Fallback {
  return new FirstOf(fallbacks.map(asFallback));
}

/** A bare function is `degrade`. */
export function asFallback(given: Fallback | FallbackFunction): Fallback {
  return typeof given === 'function' ? degrade(given) : given;
}
