import type { AxiosError, AxiosRequestConfig, AxiosResponse } from 'axios';
import type { Circuit } from '../circuit/circuit.js';
import type { Clock } from '../circuit/clock.js';
import type { Refusal } from '../circuit/figures.js';
import type { Permit } from '../circuit/permit.js';
import { BreakerOpenError, BulkheadFullError, TimeoutError, withoutStack } from '../errors.js';
import type { ErrorOrigin } from '../errors.js';
import type { EventQueue } from '../events.js';
import { catchRejection, type Faults } from '../faults.js';
import type { CircuitBreakerOptions } from '../options.js';
import type { AdapterResolver } from './adapter.js';
import type { Adapter, RequestConfig } from './axios-like.js';
import type { Bulkhead } from './bulkhead.js';
import { cancellation, cancelled } from './cancellation.js';
import { withDeadline } from './deadline.js';
import { answerInstead, withoutTransform, type Observer, type Substitute } from './instead.js';
import type { Judge } from './verdict.js';

/** A circuit, and the places for requests that belong to it. */
export interface Compartment {
  readonly circuit: Circuit;
  readonly bulkhead: Bulkhead;
}

/** What a guard asks of its breaker. */
export interface Gate {
  readonly name: string;
  /** The circuit that a request belongs to, by its own key if it has one. */
  readonly find: (config: RequestConfig, ownKey: string | undefined) => Compartment;
  readonly clock: Clock;
  readonly judge: Judge;
  readonly events: EventQueue;
  readonly faults: Faults;
  readonly resolveAdapter: AdapterResolver;
  /** The outermost guard that stands before an exchange, by its config. */
  readonly outermost: WeakMap<RequestConfig, unknown>;
  readonly requestTimeout: number | undefined;
  /** Whether nothing may be refused or aborted for the circuit's sake. */
  readonly observes: boolean;
  readonly fallback: Substitute | undefined;
  readonly toSubstitute: (fallback: NonNullable<CircuitBreakerOptions['fallback']>) => Substitute;
  /** Counted failures that the response interceptor is to answer, by their error or response. */
  readonly failed: WeakMap<object, Request[]> | undefined;
}

/** A request at the wire. */
export interface Request {
  readonly adapter: Adapter;
  readonly config: RequestConfig;
  /** The data as the caller gave it. */
  readonly data: unknown;
  readonly compartment: Compartment;
  readonly requestTimeout: number | undefined;
  readonly fallback: Substitute | undefined;
  /** Told the answer of the server's. */
  observer?: Observer | undefined;
  /** From sending on. */
  permit?: Permit;
  /** Once its deadline has passed. */
  timeout?: TimeoutError;
}

/** Sends a request, or not, and judges what comes of it. */
export function dispatch(gate: Gate, request: Request): Promise<unknown> {
  const answer = enter(gate, request);
  // Axios attaches its transform in this tick: one later, the judges see what it made of the data,
  // and still come before every response interceptor. Not queueMicrotask: fake timers stop it.
  void Promise.resolve().then(() =>
    answer.then(
      (response) => judgeResponse(gate, request, response),
      (error: unknown) => judgeError(gate, request, error),
    ),
  );
  return answer;
}

/** Refuses, or waits for a place if that must be; the permit is taken last. */
function enter(gate: Gate, request: Request): Promise<unknown> {
  const { circuit, bulkhead } = request.compartment;
  if (bulkhead.tryEnter()) return send(gate, request);
  const refusal = circuit.refuse();
  if (refusal) return refused(gate, request, refuse(gate, request, refusal));
  return bulkhead.wait(cancellation(request.config)).then((waited) => {
    if (waited === 'place') return send(gate, request);
    if (waited === 'opened') return enter(gate, request);
    circuit.countRefused();
    if (waited === 'full') return refused(gate, request, turnAway(gate, request));
    throw cancelled(request.config);
  });
}

/** With a place taken. */
function send(gate: Gate, request: Request): Promise<unknown> {
  const { circuit, bulkhead } = request.compartment;
  const permit = circuit.acquire(firstFinite(request.requestTimeout, request.config.timeout));
  if (permit.refused) {
    bulkhead.leave();
    return refused(gate, request, refuse(gate, request, permit));
  }
  // Before the adapter, which may add headers of its own.
  request.observer = createObserver(gate, request);
  try {
    const answer = callAdapter(gate, request, permit);
    request.permit = permit;
    return answer;
  } catch (error) {
    bulkhead.leave();
    permit.settle('ignored', { error });
    return Promise.reject(error);
  }
}

function callAdapter(gate: Gate, request: Request, permit: Permit): Promise<unknown> {
  const { adapter, config, requestTimeout = Infinity } = request;
  const ms = Math.min(requestTimeout, gate.observes ? Infinity : permit.lease);
  if (ms === Infinity) return Promise.resolve(adapter(config));
  const createError = () =>
    (request.timeout = withoutStack(() => new TimeoutError(originOf(gate, request), ms)));
  return withDeadline(adapter, config, { ms, clock: gate.clock, createError });
}

/** A refused request: its fallback's answer, which is not for axios to transform, or the refusal. */
async function refused(gate: Gate, request: Request, error: Error): Promise<unknown> {
  if (request.fallback === undefined) throw error;
  const response = await answerInstead(gate, request, error);
  withoutTransform(request.config, (response as { data: unknown }).data);
  return response;
}

function judgeResponse(gate: Gate, request: Request, response: unknown): void {
  const { compartment, permit } = request;
  if (permit === undefined) return;
  compartment.bulkhead.leave();
  const { verdict, error, rateLimit } = gate.judge.judgeResponse(response);
  if (verdict === 'failure') remember(gate, response as object, request);
  if (verdict === 'success') tellObserver(gate, request, response);
  permit.settle(verdict, { response, error, rateLimit });
}

function judgeError(gate: Gate, request: Request, error: unknown): void {
  const { compartment, config, permit, timeout } = request;
  if (permit === undefined) return;
  compartment.bulkhead.leave();
  const { verdict, rateLimit } = gate.judge.judgeError(error, config);
  const isOurs = timeout !== undefined && error === timeout;
  const isExcused = verdict !== 'failure';
  const hasFailed = isOurs || verdict === 'failure';
  if (hasFailed && isObject(error)) remember(gate, error, request);
  if (verdict === 'success') tellObserver(gate, request, (error as AxiosError).response);
  permit.settle(isOurs ? 'failure' : verdict, { error, isExcused, rateLimit });
}

function createObserver({ clock, faults }: Gate, request: Request): Observer | undefined {
  try {
    return request.fallback?.observe?.({ config: request.config as AxiosRequestConfig, clock });
  } catch (error) {
    faults.report('fallback', error);
    return undefined;
  }
}

function tellObserver({ faults }: Gate, { observer }: Request, response: unknown): void {
  try {
    const report = (error: unknown) => faults.report('fallback', error);
    catchRejection(observer?.(response as AxiosResponse), report);
  } catch (error) {
    faults.report('fallback', error);
  }
}

/** Several requests may fail with the same object; the response interceptor comes in the same order. */
function remember({ failed }: Gate, outcome: object, request: Request): void {
  const requests = failed?.get(outcome);
  if (requests) requests.push(request);
  else failed?.set(outcome, [request]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function refuse(gate: Gate, request: Request, refusal: Refusal): BreakerOpenError {
  return tell(
    gate,
    withoutStack(() => new BreakerOpenError(originOf(gate, request), refusal)),
  );
}

function turnAway(gate: Gate, request: Request): BulkheadFullError {
  return tell(
    gate,
    withoutStack(() => new BulkheadFullError(originOf(gate, request))),
  );
}

function tell<Refused extends BreakerOpenError | BulkheadFullError>(
  gate: Gate,
  error: Refused,
): Refused {
  gate.events.push('REFUSE', { key: error.key, error });
  gate.events.flush();
  return error;
}

function originOf(gate: Gate, { compartment, config }: Request): ErrorOrigin {
  return {
    breaker: gate.name,
    key: compartment.circuit.key,
    config: config as AxiosRequestConfig,
  };
}

/** How long a request may take by its own account; axios takes a timeout of 0 for none. */
function firstFinite(...timeouts: unknown[]): number | undefined {
  return timeouts.find(
    (timeout): timeout is number =>
      typeof timeout === 'number' && timeout > 0 && timeout < Infinity,
  );
}
