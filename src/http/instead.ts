import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import type { Clock } from '../circuit/clock.js';
import { isBreakerOpenError } from '../errors.js';
import type { RequestConfig } from './axios-like.js';
import { isAborted } from './cancellation.js';
import type { Gate, Request } from './dispatch.js';
import type { Ending } from './ending.js';
import { transform } from './transform.js';

interface ObservedRequest {
  readonly config: AxiosRequestConfig;
  readonly clock: Clock;
}

/** A request that a circuit refused, and what it needs to be sent after all. */
export interface RefusedRequest {
  readonly gate: Gate;
  readonly request: Request;
}

interface SubstituteRequest extends ObservedRequest {
  readonly data: unknown;
  readonly error: unknown;
  readonly key: string;
  readonly refused: RefusedRequest | undefined;
}

/** What a dispatcher asks where a request has no answer of the server's. */
export interface Substitute {
  readonly mayHold?: boolean;
  answer(request: SubstituteRequest): Promise<SubstituteAnswer | undefined>;
  observe?(request: ObservedRequest): Observer | undefined;
}

export type Observer = (response: AxiosResponse, isTransformed: boolean) => unknown;

export type SubstituteAnswer =
  | {
      readonly kind: string;
      readonly response: {
        readonly data: unknown;
        readonly status: number;
        readonly headers: Readonly<Record<string, string>>;
      };
    }
  | { readonly kind: 'hold'; readonly ending: Ending };

/**
 * What the fallback has in the place of `error`, if anything.
 *
 * @throws what the fallback throws, with `error` as its cause.
 */
export async function askFallback(
  gate: Gate,
  request: Request,
  error: unknown,
): Promise<SubstituteAnswer | undefined> {
  const { data, fallback, compartment, refusal } = request;
  const config = request.config as AxiosRequestConfig;
  const isOpen = error === refusal && isBreakerOpenError(error);
  const refused = isOpen ? { gate, request } : undefined;
  const { key } = compartment.circuit;
  try {
    return await fallback?.answer({ config, data, error, key, clock: gate.clock, refused });
  } catch (thrown) {
    if (thrown !== error && !isAborted(request.config)) setCause(thrown, error);
    throw thrown;
  }
}

/** The fallback's answer to what was counted as a failure, as a response. */
export async function answerFailure(
  gate: Gate,
  request: Request,
  outcome: unknown,
): Promise<unknown> {
  if (request.fallback === undefined || gate.events.isClosed) return undefined;
  const answer = await askFallback(gate, request, outcome);
  if (answer === undefined) return undefined;
  tellFallback(gate, request, outcome);
  return responseOf(answer, request.config);
}

export function tellFallback(gate: Gate, request: Request, error: unknown): void {
  gate.events.push('FALLBACK', { key: request.compartment.circuit.key, error });
  gate.events.flush();
}

/**
 * What a fallback answered, as a response.
 *
 * @throws what a request that was held was rejected with.
 */
export function responseOf(answer: SubstituteAnswer, config: RequestConfig): unknown {
  const { kind } = answer;
  if ('ending' in answer) {
    if ('error' in answer.ending) throw answer.ending.error;
    const { response } = answer.ending;
    if (typeof response === 'object' && response !== null) Reflect.set(response, 'fallback', kind);
    return response;
  }
  const { data, status } = answer.response;
  const headers = headersLike(config['headers'], answer.response.headers);
  return { data, status, statusText: '', headers, config, request: null, fallback: kind };
}

function setCause(thrown: unknown, cause: unknown): void {
  if (typeof thrown !== 'object' || thrown === null || 'cause' in thrown) return;
  Reflect.defineProperty(thrown, 'cause', { value: cause, configurable: true, writable: true });
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
    return transform(transformResponse, this, given, rest);
  }
  Reflect.set(config, 'transformResponse', transformOthers);
}
