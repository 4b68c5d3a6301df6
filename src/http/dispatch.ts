import type { AxiosRequestConfig } from 'axios';
import type { Circuit } from '../circuit/circuit.js';
import type { Clock } from '../circuit/clock.js';
import type { Refusal } from '../circuit/figures.js';
import type { Permit } from '../circuit/permit.js';
import { BreakerOpenError, BulkheadFullError, TimeoutError, withoutStack } from '../errors.js';
import type { ErrorOrigin } from '../errors.js';
import type { EventQueue } from '../events.js';
import type { Faults } from '../faults.js';
import type { AdapterResolver } from './adapter.js';
import type { Adapter, RequestConfig } from './axios-like.js';
import type { Bulkhead } from './bulkhead.js';
import { cancellation, cancelled } from './cancellation.js';
import { withDeadline } from './deadline.js';
import type { Judge } from './verdict.js';

/** A circuit, and the places for requests that belong to it. */
export interface Compartment {
  readonly circuit: Circuit;
  readonly bulkhead: Bulkhead;
}

/** What a guard asks of its breaker. */
export interface Gate {
  readonly name: string;
  readonly isDetached: boolean;
  /** The circuit that a request belongs to, by its own key if it has one. */
  readonly find: (config: RequestConfig, ownKey: string | undefined) => Compartment;
  readonly clock: Clock;
  readonly judge: Judge;
  readonly events: EventQueue;
  readonly faults: Faults;
  readonly resolveAdapter: AdapterResolver;
  readonly requestTimeout: number | undefined;
  /** Whether nothing may be refused or aborted for the circuit's sake. */
  readonly observes: boolean;
}

/** A request at the wire. */
export interface Request {
  readonly adapter: Adapter;
  readonly config: RequestConfig;
  readonly compartment: Compartment;
  readonly requestTimeout: number | undefined;
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
  if (refusal) return Promise.reject(refuse(gate, request, refusal));
  return bulkhead.wait(cancellation(request.config)).then((waited) => {
    if (waited === 'place') return send(gate, request);
    if (waited === 'opened') return enter(gate, request);
    circuit.countRefused();
    throw waited === 'full' ? turnAway(gate, request) : cancelled(request.config);
  });
}

/** With a place taken. */
function send(gate: Gate, request: Request): Promise<unknown> {
  const { circuit, bulkhead } = request.compartment;
  const permit = circuit.acquire(firstFinite(request.requestTimeout, request.config.timeout));
  if (permit.refused) {
    bulkhead.leave();
    return Promise.reject(refuse(gate, request, permit));
  }
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

function judgeResponse(gate: Gate, { compartment, permit }: Request, response: unknown): void {
  if (permit === undefined) return;
  compartment.bulkhead.leave();
  const { verdict, error, rateLimit } = gate.judge.judgeResponse(response);
  permit.settle(verdict, { response, error, rateLimit });
}

function judgeError(gate: Gate, request: Request, error: unknown): void {
  const { compartment, config, permit, timeout } = request;
  if (permit === undefined) return;
  compartment.bulkhead.leave();
  const { verdict, rateLimit } = gate.judge.judgeError(error, config);
  const isOurs = timeout !== undefined && error === timeout;
  const isExcused = verdict !== 'failure';
  permit.settle(isOurs ? 'failure' : verdict, { error, isExcused, rateLimit });
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
