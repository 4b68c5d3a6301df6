import type { AxiosRequestConfig } from 'axios';
import type { ErrorSummary } from './circuit/error-summary.js';
import type { Refusal } from './circuit/figures.js';
import type { CircuitState, OpenReason } from './circuit/state.js';
import { originAndPath } from './request-url.js';

/** Whose error it is: the breaker's name, the circuit's key, and the request. */
export interface ErrorOrigin {
  readonly breaker: string;
  readonly key: string;
  readonly config: AxiosRequestConfig;
}

/** What the errors of a breaker have in common: where they come from, and a JSON form without secrets. */
abstract class BreakerError extends Error {
  abstract readonly code: string;
  /** The name of the breaker. */
  readonly breaker: string;
  /** The key of the circuit. */
  readonly key: string;
  #config: AxiosRequestConfig;

  constructor(message: string, { breaker, key, config }: ErrorOrigin, cause?: ErrorSummary) {
    super(message, cause && { cause });
    this.breaker = breaker;
    this.key = key;
    this.#config = config;
  }

  /** So that `axios.isAxiosError` is true. */
  get isAxiosError(): true {
    return true;
  }

  /** The config of the request. An accessor, so that no log prints it with the error's fields. */
  get config(): AxiosRequestConfig {
    return this.#config;
  }

  set config(config: AxiosRequestConfig) {
    this.#config = config;
  }

  /** The error without config, headers, data, params, query or credentials. */
  toJSON(): Record<string, unknown> {
    const { name, message, code, breaker, key } = this;
    // Somebody may have taken it away, so as not to show it.
    const config = (this.config as AxiosRequestConfig | undefined) ?? {};
    return { name, message, code, breaker, key, method: config.method, ...originAndPath(config) };
  }
}

/** A request that was not sent. It is an axios cancellation: `axios.isCancel` is true for it. */
abstract class RefusalError extends BreakerError {
  readonly code = 'ERR_CANCELED';
  /** Whether the config is the request's own no longer. */
  #isOther = false;

  /** A copy of the request's config that says: no retries. Made when it is asked for, as few are. */
  override get config(): AxiosRequestConfig {
    if (!this.#isOther) this.config = withoutRetries(super.config);
    return super.config;
  }

  override set config(config: AxiosRequestConfig) {
    this.#isOther = true;
    super.config = config;
  }

  /** The mark that `axios.isCancel` looks for. */
  get __CANCEL__(): true {
    return true;
  }
}

/**
 * A request refused by an open circuit. Nothing was sent, and retry plugins leave it alone.
 *
 * @example
 * try {
 *   await client.get('/orders');
 * } catch (error) {
 *   if (!isBreakerOpenError(error)) throw error;
 *   console.log(`try again in ${error.retryAfterMs} ms`);
 * }
 */
export class BreakerOpenError extends RefusalError {
  override readonly name = 'BreakerOpenError';
  /** `'open'`, `'forced-open'`, or `'half-open'` while others probe. */
  readonly state: CircuitState;
  /** Why the circuit opened. */
  readonly reason: OpenReason;
  /** Milliseconds until a request may be sent: an integer, 0 while half-open, `Infinity` where only a command ends it. */
  readonly retryAfterMs: number;
  /** A summary of the error that opened the circuit, if one did; never that error, which would pin its response in memory. */
  declare readonly cause: ErrorSummary | undefined;

  constructor(origin: ErrorOrigin, refusal: Refusal) {
    super('Circuit breaker is open', origin, refusal.cause);
    this.state = refusal.state;
    this.reason = refusal.reason;
    this.retryAfterMs = refusal.retryAfterMs;
  }

  /** The brand that `isBreakerOpenError` tests. */
  get isBreakerOpenError(): true {
    return true;
  }

  override toJSON(): Record<string, unknown> {
    const { state, reason, retryAfterMs } = this;
    return { ...super.toJSON(), state, reason, retryAfterMs };
  }
}

/** A request refused because too many are in flight already. It says nothing about the server. */
export class BulkheadFullError extends RefusalError {
  override readonly name = 'BulkheadFullError';

  constructor(origin: ErrorOrigin) {
    super('Bulkhead is full', origin);
  }

  /** The brand that `isBulkheadFullError` tests. */
  get isBulkheadFullError(): true {
    return true;
  }
}

/** An exchange that took longer than the breaker allows. It is no cancellation. */
export class TimeoutError extends BreakerError {
  override readonly name = 'TimeoutError';
  readonly code = 'ETIMEDOUT';

  /** `ms`: the time that was allowed. */
  constructor(origin: ErrorOrigin, ms: number) {
    super(`timeout of ${ms}ms exceeded`, origin);
  }

  /** The brand that `isTimeoutError` tests. */
  get isBreakerTimeoutError(): true {
    return true;
  }
}

/** Whether an error is a `BreakerOpenError`, of whichever copy of this package. */
export function isBreakerOpenError(error: unknown): error is BreakerOpenError {
  return hasBrand(error, 'isBreakerOpenError');
}

/** Whether an error is a `BulkheadFullError`, of whichever copy of this package. */
export function isBulkheadFullError(error: unknown): error is BulkheadFullError {
  return hasBrand(error, 'isBulkheadFullError');
}

/** Whether an error is a `TimeoutError` of a breaker, of whichever copy of this package. */
export function isTimeoutError(error: unknown): error is TimeoutError {
  return hasBrand(error, 'isBreakerTimeoutError');
}

/** Whether a breaker, this one or another, did not send the request. */
export function isRefusal(error: unknown): boolean {
  return isBreakerOpenError(error) || isBulkheadFullError(error);
}

/** Makes an error without a stack: it would cost more than all else, and show only where axios dispatches. */
export function withoutStack<Made extends Error>(make: () => Made): Made {
  const errors = Error as { stackTraceLimit?: number };
  const { stackTraceLimit } = errors;
  Reflect.set(errors, 'stackTraceLimit', 0);
  const made = make();
  Reflect.set(errors, 'stackTraceLimit', stackTraceLimit);
  return made;
}

function hasBrand(error: unknown, brand: string): boolean {
  return (error as Record<string, unknown> | null | undefined)?.[brand] === true;
}

// axios-retry takes any error with a config and no response for worth another try, and
// axios-cache-interceptor waits for ever where there is no config.
function withoutRetries(config: AxiosRequestConfig): AxiosRequestConfig {
  const retries = (config as Record<string, unknown>)['axios-retry'] as object | undefined;
  return { ...config, 'axios-retry': { ...retries, retries: 0 } } as AxiosRequestConfig;
}
