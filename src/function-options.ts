import type { Fallback } from './fallback/fallback.js';
import type { CircuitBreakerOptions } from './options.js';

/** What a function finds as its `this` while a breaker calls it. */
export interface CallContext {
  /** Aborted when `requestTimeout`, or the lease of a probe, is over. */
  readonly signal: AbortSignal;
}

/**
 * How the breaker around a function decides: as `CircuitBreakerOptions`, without `key` and `maxKeys`, and
 * with predicates that see what the function throws and returns.
 */
export interface FunctionBreakerOptions<Args extends unknown[], Result> extends Omit<
  CircuitBreakerOptions,
  'errorHandler' | 'responseHandler' | 'fallback' | 'key' | 'maxKeys'
> {
  /**
   * Whether what the function throws is a failure. Synchronous; never asked about an `AbortError`, a
   * cancellation of axios or a refusal. If it throws, the default decides and `onFault` is told.
   * @default isFailure: everything is but faults of the caller's own; of errors of axios, those that it counts
   */
  readonly errorHandler?: ((error: unknown) => boolean) | undefined;
  /**
   * Whether what the function returns is a failure. Synchronous.
   * @default nothing is
   */
  readonly responseHandler?: ((result: Result) => boolean) | undefined;
  /**
   * What a caller gets instead of a refusal: a function of the arguments and the refusal, or a fallback
   * such as `staticFallback`, `holdUntilClosed` or `firstOf`. If it throws, the caller gets that error.
   * @default the refusal
   */
  readonly fallback?:
    Fallback | ((args: Args, error: unknown) => Result | PromiseLike<Result>) | undefined;
}
