import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import type { Clock } from '../circuit/clock.js';
import type { Gate, Request } from './dispatch.js';
import type { RequestConfig } from './axios-like.js';

interface ObservedRequest {
  readonly config: AxiosRequestConfig;
  readonly clock: Clock;
}

interface SubstituteRequest extends ObservedRequest {
  readonly data: unknown;
  readonly error: unknown;
  readonly key: string;
}

/** What a dispatcher asks where a request has no answer of the server's. */
export interface Substitute {
  answer(request: SubstituteRequest): Promise<SubstituteAnswer | undefined>;
  observe?(request: ObservedRequest): Observer | undefined;
}

export type Observer = (response: AxiosResponse) => unknown;

interface SubstituteAnswer {
  readonly kind: string;
  readonly response: {
    readonly data: unknown;
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/**
 * What the caller gets in the place of `error`: the fallback's answer as a response, what the fallback
 * threw with `error` as its cause, or `error` itself.
 */
export async function answerInstead(
  gate: Gate,
  request: Request,
  error: unknown,
): Promise<unknown> {
  const { config, data: given, fallback, compartment } = request;
  const { key } = compartment.circuit;
  const { clock } = gate;
  const asked = { config: config as AxiosRequestConfig, data: given, error, key, clock };
  const answer = await askFallback(fallback, asked);
  if (answer === undefined) throw error;
  gate.events.push('FALLBACK', { key, error });
  gate.events.flush();
  const { data, status } = answer.response;
  const headers = headersLike(config['headers'], answer.response.headers);
  return { data, status, statusText: '', headers, config, request: null, fallback: answer.kind };
}

/** As axios makes them where it has a class for it: a response interceptor comes after that. */
function headersLike(sample: unknown, headers: object): unknown {
  const { constructor } = Object(sample) as {
    constructor?: { from?: (headers: object) => unknown };
  };
  return typeof constructor?.from === 'function' ? constructor.from(headers) : { ...headers };
}

/**
 * Keeps axios from transforming an answer that is none of the server's, however late axios comes to it:
 * whoever wraps the adapter may hand the answer on a few ticks later.
 */
export function withoutTransform(config: RequestConfig, data: unknown): void {
  const { transformResponse } = config;
  function transformOthers(this: unknown, given: unknown, ...rest: unknown[]): unknown {
    Reflect.set(config, 'transformResponse', transformResponse);
    if (given === data) return given;
    return [transformResponse]
      .flat()
      .reduce(
        (value, fn) => (typeof fn === 'function' ? fn.call(this, value, ...rest) : value),
        given,
      );
  }
  Reflect.set(config, 'transformResponse', transformOthers);
}

async function askFallback(
  fallback: Substitute | undefined,
  request: SubstituteRequest,
): Promise<SubstituteAnswer | undefined> {
  const { error } = request;
  try {
    return await fallback?.answer(request);
  } catch (thrown) {
    if (thrown !== error && typeof thrown === 'object' && thrown !== null && !('cause' in thrown)) {
      Reflect.defineProperty(thrown, 'cause', { value: error, configurable: true, writable: true });
    }
    throw thrown;
  }
}
