import type { Clock } from './circuit/clock.js';
import type { Fallback, FallbackFunction, FallbackKind } from './fallback/fallback.js';
import type { FaultHandler } from './faults.js';
import type { KeyFunction } from './http/key.js';
import type { WaitHook } from './http/rate-limits.js';
import type { ServerWaitOptions } from './http/server-wait/read-server-wait.js';
import type { ErrorHandler, ResponseHandler } from './http/verdict.js';
import type { SharedState } from './shared-state.js';

/** How a half-open circuit is probed. */
export interface HalfOpenOptions {
  /**
   * So many probes must pass, and none fail, to close. An integer, at least 1.
   * @default 1
   */
  readonly probes?: number | undefined;
  /**
   * At most so many probes at once; other requests are refused meanwhile. An integer, at least 1.
   * @default 1
   */
  readonly concurrent?: number | undefined;
  /**
   * How long one probe may take, in ms; then it has failed and is aborted. More than 0, finite.
   * @default the larger of `cooldown` and the request's own deadline: `requestTimeout`, else its
   * `timeout`, else 30_000
   */
  readonly lease?: number | undefined;
}

/** What to make of answers that say: not so often. Those open at once, whatever the rules say. */
export interface RateLimitOptions extends Pick<ServerWaitOptions, 'units' | 'headers'> {
  /**
   * No stated wait is taken for less, in ms. 0 or more.
   * @default 1_000
   */
  readonly minWait?: number | undefined;
  /**
   * No stated wait is taken for more, in ms. More than 0, finite.
   * @default 86_400_000
   */
  readonly maxWait?: number | undefined;
  /**
   * The same where the status is neither 429 nor 403: one restarting server must not close an API for a
   * day. More than 0, finite.
   * @default `maxCooldown`
   */
  readonly maxWaitOther?: number | undefined;
  /**
   * The largest share of a stated wait that chance may add. 0 to 1.
   * @default 0
   */
  readonly jitter?: number | undefined;
  /**
   * Your own reading, asked before all headers, of answers that were judged failures. If it throws,
   * `onFault` is told and the headers decide. `googleRetryInfo` and its siblings fit.
   */
  readonly wait?: WaitHook | undefined;
  /**
   * Whether a successful answer that says that nothing is left opens until the quota is filled again,
   * before a 429 is needed.
   * @default false
   */
  readonly preempt?: boolean | undefined;
}

/**
 * How a breaker decides. Durations are milliseconds, shares are 0–1. Checked once, at construction:
 * a bad value is a `TypeError` or `RangeError` that names the option.
 *
 * With an `errorHandler` and neither `failureThreshold` nor `consecutiveFailures`, the first error
 * that it accepts opens the breaker: the first-error rule, made for rate limits.
 */
export interface CircuitBreakerOptions {
  /**
   * A label for errors, events and metrics. 1 to 1000 characters.
   * @default 'default'
   */
  readonly name?: string | undefined;
  /**
   * Whether an error is the server's failure. Synchronous; never asked about cancellations by the
   * caller or refusals. If it throws, `isFailure` decides and `onFault` is told.
   * @default isFailure
   */
  readonly errorHandler?: ErrorHandler | undefined;
  /**
   * Whether a fulfilled response is the server's failure. Synchronous.
   * @default a status of 400 or more is asked of `errorHandler`, as an AxiosError
   */
  readonly responseHandler?: ResponseHandler | undefined;
  /**
   * How long to refuse once open, in ms. 0 or more, `Infinity` for until `close()`.
   * @default 10_000 with the first-error rule, else 1_000
   */
  readonly cooldown?: number | undefined;
  /** Another name for `cooldown`; giving both is an error. */
  readonly timeout?: number | undefined;
  /**
   * Open when this share of the window failed. More than 0, at most 1.
   * @default 0.5 where neither `consecutiveFailures` nor `errorHandler` is given
   */
  readonly failureThreshold?: number | undefined;
  /**
   * The window: the calls of the last so many ms. More than 0, finite.
   * @default 10_000
   */
  readonly windowDuration?: number | undefined;
  /** The window: the last so many calls, instead of `windowDuration`. An integer, 1 to 1_000_000. */
  readonly windowSize?: number | undefined;
  /**
   * No verdict by share before so many calls. An integer, at least 1, at most `windowSize`.
   * @default 10, or `windowSize`
   */
  readonly minimumCalls?: number | undefined;
  /**
   * Open after so many bad calls in a row: failed, or slow where `slowCallDuration` is set. An
   * integer, at least 1.
   * @default 5 where neither `failureThreshold` nor `errorHandler` is given
   */
  readonly consecutiveFailures?: number | undefined;
  /** A call that takes at least so many ms is slow, and counts so while still in flight. More than 0. */
  readonly slowCallDuration?: number | undefined;
  /**
   * Open when this share of the window was slow. More than 0, at most 1.
   * @default 0.5
   */
  readonly slowCallThreshold?: number | undefined;
  /**
   * How an open circuit is left: `false` closes it by the clock, an object lets probes decide.
   * @default false after `first-error` and after a rate limit (429, 403), else `{ probes: 1, concurrent: 1 }`
   */
  readonly halfOpen?: false | HalfOpenOptions | undefined;
  /**
   * How much longer each further opening in a row lasts. At least 1.
   * @default 2, with the first-error rule 1
   */
  readonly cooldownFactor?: number | undefined;
  /**
   * The longest cooldown that growth leads to, in ms. 0 or more.
   * @default 30_000, or `cooldown` if that is more
   */
  readonly maxCooldown?: number | undefined;
  /**
   * The largest share of a cooldown that chance may take off, so that processes do not come back
   * all at once. 0 to 1.
   * @default 0.1, with the first-error rule 0
   */
  readonly cooldownJitter?: number | undefined;
  /**
   * What to make of answers that say: not so often. `false` takes them for failures like any other.
   * @default {}
   */
  readonly rateLimit?: false | RateLimitOptions | undefined;
  /**
   * How long one exchange may take from sending to its last byte, in ms; then it is aborted, the
   * caller gets a `TimeoutError`, and it has failed. More than 0. A response read as a stream is not
   * cut: only its headers must come in time.
   * @default none
   */
  readonly requestTimeout?: number | undefined;
  /**
   * How many exchanges of a circuit may be under way at once. An integer, at least 1. Further requests
   * wait for a place, or get a `BulkheadFullError`.
   * @default no limit
   */
  readonly maxConcurrent?: number | undefined;
  /**
   * How many requests may wait for a place. An integer, 0 or more.
   * @default 0
   */
  readonly maxQueued?: number | undefined;
  /**
   * How long a request may wait for a place, in ms. More than 0.
   * @default `requestTimeout`, or 30_000
   */
  readonly maxQueueWait?: number | undefined;
  /**
   * What a caller gets instead of a refusal: a function of the config and the refusal, or what
   * `staticFallback`, `degrade`, `holdUntilClosed`, `queueForRetry`, `serveStale` or `firstOf` made. If it throws, the caller gets that error, with the
   * refusal as its cause.
   * @default the refusal
   */
  readonly fallback?: Fallback | FallbackFunction | undefined;
  /**
   * `'failure'`: the fallback also answers what was counted as a failure. It can do so only where the
   * breaker's response interceptor stands: attach the breaker after a retry plugin then.
   * @default 'refusal'
   */
  readonly fallbackOn?: 'refusal' | 'failure' | undefined;
  /**
   * Which circuit a request belongs to: `'origin'` for one for each scheme, host and port, or a
   * function of the config. If it throws, or returns no text of 1 to 1000 characters, `onFault` is told and
   * the key is `'default'`. Keys are shown in errors and metrics: take no credential for one.
   * @default one circuit, with the key `'default'`
   */
  readonly key?: 'origin' | KeyFunction | undefined;
  /**
   * How many circuits are kept. The least recently used one that is closed and idle goes for a new one;
   * where there is none, new keys share one circuit, and `onFault` is told. An integer, at least 1.
   * @default 1_000
   */
  readonly maxKeys?: number | undefined;
  /**
   * Shares what it learns with the breakers of the same `name` in other processes: what `redisState()` of
   * `axios-circuit-guard/redis` returns. It needs an explicit `name`.
   * @default nothing is shared
   */
  readonly shared?: SharedState | undefined;
  /**
   * `'observe'` judges and tells WOULD_OPEN, but never refuses.
   * @default 'enforce'
   */
  readonly mode?: 'enforce' | 'observe' | undefined;
  /**
   * Where time and timers come from. `ManualClock` from `axios-circuit-guard/testing` fits.
   * @default monotonic time and real timers
   */
  readonly clock?: Clock | undefined;
  /**
   * Told of user code that threw, such as a listener or a predicate, once per source.
   * @default a process warning, `console.warn` in browsers
   */
  readonly onFault?: FaultHandler | undefined;
}

/** What one request may ask of the breaker for itself. */
export interface RequestOptions {
  /** Instead of the breaker's `fallback`; `false` for none. */
  readonly fallback?: false | Fallback | FallbackFunction | undefined;
  /** The circuit of this request, whatever the breaker's `key` says. Not empty. */
  readonly key?: string | undefined;
  /** Instead of the breaker's `requestTimeout`. More than 0; `Infinity` for none. */
  readonly requestTimeout?: number | undefined;
}

declare module 'axios' {
  interface AxiosRequestConfig {
    /** `false` sends this request past the breaker. */
    circuitBreaker?: false | RequestOptions | undefined;
  }
  interface AxiosResponse {
    /** What gave the answer, if it is none of the server's. */
    fallback?: FallbackKind | undefined;
  }
}
