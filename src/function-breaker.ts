import { Breaker, createParts } from './breaker.js';
import { checkCallOptions } from './check-options.js';
import type { CircuitEvents, ExchangeEvent } from './circuit/events.js';
import { describe } from './describe.js';
import type { FallbackEvent, RefuseEvent } from './events.js';
import type { CallContext, FunctionBreakerOptions } from './function-options.js';
import type { RequestConfig } from './http/axios-like.js';
import { dispatch, type Gate, type Request } from './http/dispatch.js';
import { endingOf } from './http/ending.js';
import { answerFailure } from './http/instead.js';
import { defaultKey } from './http/key.js';
import type { ErrorHandler } from './http/verdict.js';
import { Listeners } from './listeners.js';
import { resolveOptions, type ResolvedOptions } from './resolve-options.js';

/** What SUCCESS, FAILURE and IGNORE tell of one call. */
export interface CallEvent<Result> extends ExchangeEvent {
  /** `data` is what the function returned, where it did. */
  readonly response: { readonly data: Result } | undefined;
}

/** The events of a `FunctionBreaker` by name, with what each one tells. */
export interface FunctionBreakerEvents<Result> extends CircuitEvents {
  SUCCESS: CallEvent<Result>;
  FAILURE: CallEvent<Result>;
  IGNORE: CallEvent<Result>;
  REFUSE: RefuseEvent;
  FALLBACK: FallbackEvent;
}

/** Told one event of a `FunctionBreaker`. What it throws, or rejects with, goes to `onFault`. */
export type FunctionBreakerListener<Result, Name extends keyof FunctionBreakerEvents<Result>> = (
  event: FunctionBreakerEvents<Result>[Name],
) => unknown;

/**
 * The same circuit around any asynchronous function: each call of it is what an exchange is to a
 * `CircuitBreaker`. Refusals, deadlines and a full bulkhead are the same errors.
 *
 * @throws TypeError where `fn` is no function, or an option is unknown or bad; RangeError where one is bad.
 * @example
 * const breaker = new FunctionBreaker(
 *   async function (this: CallContext, url: string) {
 *     return (await fetch(url, { signal: this.signal })).text();
 *   },
 *   { requestTimeout: 3_000 },
 * );
 * const text = await breaker.call('https://api.example.com/');
 */
export class FunctionBreaker<Args extends unknown[], Result> extends Breaker {
  readonly #gate: Gate;
  readonly #createRequest: (args: Args) => Request;
  readonly #answersFailures: boolean;
  readonly #listeners = new Listeners((source, error) => this.reportFault(source, error));

  constructor(
    fn: (this: CallContext, ...args: Args) => Result | PromiseLike<Result>,
    options: FunctionBreakerOptions<Args, Result> = {},
  ) {
    if (typeof fn !== 'function') {
      throw new TypeError(`Expected \`fn\` to be a function, got ${describe(fn)}`);
    }
    const resolved = resolveCallOptions(options);
    const parts = createParts(resolved);
    super(parts);
    this.addSink(this.#listeners);
    const compartment = parts.circuits.use(defaultKey);
    const { requestTimeout, fallback } = resolved;
    this.#gate = { ...parts, failed: undefined };
    this.#answersFailures = resolved.fallsBackOnFailure;
    this.#createRequest = (args) => ({
      adapter: async (config) => ({ data: await fn.apply(contextOf(config), args) }),
      config: { args },
      data: args,
      compartment,
      requestTimeout,
      fallback,
      permit: undefined,
      hasFailed: false,
    });
  }

  /**
   * Calls the function with these arguments, and returns what it returns; or refuses to.
   *
   * @throws BreakerOpenError, BulkheadFullError or TimeoutError, as a promise; or what the function throws.
   */
  async call(...args: Args): Promise<Result> {
    const request = this.#createRequest(args);
    const answer = dispatch(this.#gate, request);
    // The judges come first: they say whether it has failed.
    await Promise.resolve();
    const ending = await endingOf(answer);
    const hasError = 'error' in ending;
    const outcome = hasError ? ending.error : ending.response;
    const instead =
      this.#answersFailures && request.hasFailed
        ? await answerFailure(this.#gate, request, outcome)
        : undefined;
    if (hasError && instead === undefined) throw outcome;
    return ((instead ?? outcome) as { data: Result }).data;
  }

  /**
   * Calls the listener at every event of that name.
   * @throws TypeError where there is no event of that name, or the listener is no function.
   */
  on<Name extends keyof FunctionBreakerEvents<Result>>(
    event: Name,
    listener: FunctionBreakerListener<Result, Name>,
  ): this {
    this.#listeners.on(event, listener);
    return this;
  }

  /**
   * Calls the listener at the next event of that name only.
   * @throws TypeError where there is no event of that name, or the listener is no function.
   */
  once<Name extends keyof FunctionBreakerEvents<Result>>(
    event: Name,
    listener: FunctionBreakerListener<Result, Name>,
  ): this {
    this.#listeners.once(event, listener);
    return this;
  }

  /** Takes that listener away, or all of that event. */
  off<Name extends keyof FunctionBreakerEvents<Result>>(
    event: Name,
    listener?: FunctionBreakerListener<Result, Name>,
  ): this {
    this.#listeners.off(event, listener);
    return this;
  }

  /** Another name for `off`. */
  removeListener<Name extends keyof FunctionBreakerEvents<Result>>(
    event: Name,
    listener?: FunctionBreakerListener<Result, Name>,
  ): this {
    return this.off(event, listener);
  }
}

function contextOf({ signal }: RequestConfig): CallContext {
  return { signal: (signal as AbortSignal | undefined) ?? new AbortController().signal };
}

/** As for requests, with predicates and fallbacks that see a call as what it is. */
function resolveCallOptions<Args extends unknown[], Result>(
  options: FunctionBreakerOptions<Args, Result>,
): ResolvedOptions {
  checkCallOptions(options);
  const { errorHandler, responseHandler, fallback } = options;
  const resolved = resolveOptions({
    ...options,
    errorHandler: errorHandler as ErrorHandler | undefined,
    responseHandler: responseHandler && (({ data }) => responseHandler(data as Result)),
    fallback:
      typeof fallback === 'function'
        ? (config, error) => fallback((config as { args: Args }).args, error)
        : fallback,
  });
  const isFailedCall: ErrorHandler = (error) => !isAbort(error) && resolved.errorHandler(error);
  return { ...resolved, errorHandler: isFailedCall };
}

/** Whoever aborts a call gives up on it, as the caller of a request does. */
function isAbort(error: unknown): boolean {
  return (error as { name?: unknown } | null | undefined)?.name === 'AbortError';
}
