import axios, { type AxiosError, type AxiosResponse } from 'axios';
import type { RateLimit, Verdict } from '../circuit/permit.js';
import { isRefusal } from '../errors.js';
import { catchRejection, isPromiseLike, type Faults } from '../faults.js';
import type { RequestConfig } from './axios-like.js';
import { hasTimedOut, isCancel, isCancelledByCaller } from './cancellation.js';
import { hasAnswered, isFailure } from './is-failure.js';
import type { RateLimits } from './rate-limits.js';

/** Whether an error is the server's failure. */
export type ErrorHandler = (error: AxiosError) => boolean;

/** Whether a fulfilled response is the server's failure. */
export type ResponseHandler = (response: AxiosResponse) => boolean;

export interface Judgement {
  readonly verdict: Verdict;
  /** The error that was judged. */
  readonly error?: unknown;
  readonly rateLimit?: RateLimit | undefined;
}

const ignored: Judgement = { verdict: 'ignored' };

/** Tells from what came of an exchange what it says about the server. Never throws. */
export class Judge {
  readonly #errorHandler: ErrorHandler;
  readonly #responseHandler: ResponseHandler | undefined;
  readonly #rateLimits: RateLimits | undefined;
  readonly #faults: Faults;

  constructor(
    errorHandler: ErrorHandler,
    responseHandler: ResponseHandler | undefined,
    rateLimits: RateLimits | undefined,
    faults: Faults,
  ) {
    this.#errorHandler = errorHandler;
    this.#responseHandler = responseHandler;
    this.#rateLimits = rateLimits;
    this.#faults = faults;
  }

  judgeError(error: unknown, config: RequestConfig): Judgement {
    try {
      return this.#judgeError(error, config);
    } catch (fault) {
      return this.#unreadable(fault);
    }
  }

  judgeResponse(response: unknown): Judgement {
    try {
      return this.#judgeResponse(response);
    } catch (fault) {
      return this.#unreadable(fault);
    }
  }

  /** What cannot even be read, such as a proxy that throws, says nothing about the server. */
  #unreadable(fault: unknown): Judgement {
    this.#faults.report('adapter', fault);
    return ignored;
  }

  #judgeError(error: unknown, config: RequestConfig): Judgement {
    if (isRefusal(error) || isCancelledByCaller(error, config))
      return { verdict: 'ignored', error };
    // Old axios leaves it off, and the handler could not tell this timeout from a cancellation.
    if (isCancel(error) && hasTimedOut(config.signal)) setConfig(error as object, config);
    if (this.#isServersFailure(error)) {
      const { response } = Object(error) as Partial<AxiosError>;
      return { verdict: 'failure', error, rateLimit: this.#rateLimits?.ofFailure(response) };
    }
    return { verdict: hasAnswered(error) ? 'success' : 'ignored', error };
  }

  #judgeResponse(response: unknown): Judgement {
    if (typeof response !== 'object' || response === null) return ignored;
    const { cached, fallback } = response as { cached?: unknown; fallback?: unknown };
    // A request that was held has an answer of the server's.
    const isInstead = typeof fallback === 'string' && fallback !== 'hold';
    if (cached === true || isInstead) return ignored;
    const handler = this.#responseHandler;
    if (handler === undefined) {
      return this.#judgeStatus(response as AxiosResponse);
    }
    const answer = this.#ask('responseHandler', handler, response as AxiosResponse);
    if (answer === undefined) return this.#judgeStatus(response as AxiosResponse, isFailure);
    return answer
      ? this.#failure(response as AxiosResponse)
      : this.#success(response as AxiosResponse);
  }

  /** A bad status that `validateStatus` let through is judged as the error that it hid. */
  #judgeStatus(response: AxiosResponse, decides?: typeof isFailure): Judgement {
    if (!(response.status >= 400)) return this.#success(response);
    const error = new axios.AxiosError(
      `Request failed with status code ${response.status}`,
      response.status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE',
      response.config,
      response.request,
      response,
    );
    const hasFailed = decides?.(error) ?? this.#isServersFailure(error);
    return hasFailed ? this.#failure(response, error) : this.#success(response);
  }

  #failure(response: AxiosResponse, error?: AxiosError): Judgement {
    return { verdict: 'failure', error, rateLimit: this.#rateLimits?.ofFailure(response) };
  }

  #success(response: AxiosResponse): Judgement {
    return { verdict: 'success', rateLimit: this.#rateLimits?.ofSuccess(response) };
  }

  #isServersFailure(error: unknown): boolean {
    const answer = this.#ask('errorHandler', this.#errorHandler, error as AxiosError);
    return answer ?? isFailure(error);
  }

  /** The answer of a predicate of the user's; `undefined` where it threw or returned a promise. */
  #ask<Subject>(
    source: string,
    predicate: (subject: Subject) => unknown,
    subject: Subject,
  ): boolean | undefined {
    try {
      const answer = predicate(subject);
      if (!isPromiseLike(answer)) return Boolean(answer);
      catchRejection(answer);
      throw new TypeError(`Expected \`${source}\` to return true or false, got a promise`);
    } catch (error) {
      this.#faults.report(source, error);
      return undefined;
    }
  }
}

function setConfig(error: object, config: RequestConfig): void {
  if (!(error as { config?: unknown }).config) Reflect.set(error, 'config', config);
}
