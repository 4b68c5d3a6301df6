import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import type { Clock } from '../circuit/clock.js';
import type { RefusedRequest } from '../http/instead.js';

/** What gave an answer in the place of the server; stands on `response.fallback`. */
export type FallbackKind = 'static' | 'degrade' | 'stale' | 'hold' | 'queue';

/** A request that is about to be sent. */
export interface ObservedRequest {
  /** As it goes to the wire. */
  readonly config: AxiosRequestConfig;
  /** The breaker's. */
  readonly clock: Clock;
}

/** A request that needs an answer from elsewhere. */
export interface FallbackRequest extends ObservedRequest {
  /** The data as the caller gave it, before axios encoded it. */
  readonly data: unknown;
  /** The refusal, or the error that was counted as a failure. */
  readonly error: unknown;
  /** The key of the circuit. */
  readonly key: string;
  /** @internal */
  readonly refused?: RefusedRequest | undefined;
}

/**
 * Told what the server answered to a request. `isTransformed`: whether the data is what `transformResponse`
 * made of it; not so where that threw, and the caller got an error.
 */
export type FallbackObserver = (response: AxiosResponse, isTransformed?: boolean) => unknown;

/** Decides what a caller gets instead of an error. Made by `degrade`, `staticFallback` and the like. */
export interface Fallback {
  /** @internal Whether a request may be sent after all, and so be no refused one. */
  readonly mayHold?: boolean;
  /** The answer, or nothing where it has none. What it throws, the caller gets. */
  answer(request: FallbackRequest): Promise<FallbackAnswer | undefined>;
  /**
   * Called right before a request is sent. The function that it returns is told the answer, if one comes
   * that is no failure, before any response interceptor sees it. What either throws is told to `onFault`.
   */
  observe?(request: ObservedRequest): FallbackObserver | undefined;
}

/** Any function of the request's config and the error that it stands in for. */
export type FallbackFunction = (config: AxiosRequestConfig, error: unknown) => unknown;

/** What `fallbackResponse` says. */
export interface FallbackResponseInit {
  readonly data?: unknown;
  /** @default 200 */
  readonly status?: number | undefined;
  /** @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer with a status and headers of its own. */
export class FallbackResponse {
  readonly data: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ data, status = 200, headers = {} }: FallbackResponseInit) {
    this.data = data;
    this.status = status;
    this.headers = headers;
  }

  get isFallbackResponse(): true {
    return true;
  }
}

/** What a fallback has: a response of its own. */
export interface OwnAnswer {
  readonly kind: FallbackKind;
  readonly response: FallbackResponse;
}

/** What became of a request that was held, and sent after all. */
export interface HeldAnswer {
  readonly kind: 'hold';
  readonly ending: { readonly response: unknown } | { readonly error: unknown };
}

export type FallbackAnswer = OwnAnswer | HeldAnswer;

/**
 * An answer with a status and headers of its own, to be returned by a fallback.
 *
 * @example
 * const fallback = degrade(() => fallbackResponse({ data: [], headers: { 'x-degraded': 'yes' } }));
 */
export function fallbackResponse(init: FallbackResponseInit): FallbackResponse {
  return new FallbackResponse(init);
}

/** Whatever a fallback returned is data, falsy values too, unless it says more. */
export function answerOf(kind: FallbackKind, value: unknown): OwnAnswer {
  const isResponse = (value as FallbackResponse | null | undefined)?.isFallbackResponse === true;
  return {
    kind,
    response: isResponse ? (value as FallbackResponse) : new FallbackResponse({ data: value }),
  };
}
