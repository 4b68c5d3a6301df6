import type { AxiosRequestConfig } from 'axios';
import { checkRequestOptions } from '../check-options.js';
import type { Circuit } from '../circuit/circuit.js';
import type { Clock } from '../circuit/clock.js';
import type { Refusal } from '../circuit/figures.js';
import type { Permit } from '../circuit/permit.js';
import { BreakerOpenError, BulkheadFullError, TimeoutError, withoutStack } from '../errors.js';
import type { ErrorOrigin } from '../errors.js';
import type { EventQueue } from '../events.js';
import type { Faults } from '../faults.js';
import type { RequestOptions } from '../options.js';
import type { AdapterResolver } from './adapter.js';
import type { Adapter, RequestConfig } from './axios-like.js';
import { cancellation, cancelled } from './cancellation.js';
import type { Bulkhead } from './bulkhead.js';
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

/** Stands in for a request's adapter, until the request reaches the wire. */
interface Guard extends Adapter {
  gate: Gate;
  /** The adapter that it stands for, as the config had it. */
  inner: unknown;
  options: RequestOptions;
}

/** A request at the wire. */
interface Request {
  readonly adapter: Adapter;
  readonly config: RequestConfig;
  readonly compartment: Compartment;
  readonly requestTimeout: number | undefined;
}

/** The config with a guard around its adapter; the same object wherever it can be written to. */
export function withGuard(gate: Gate, config: RequestConfig): RequestConfig {
  const { circuitBreaker } = config;
  const inner = withoutGuard(gate, config.adapter);
  const adapter =
    circuitBreaker === false ? inner : createGuard(gate, inner, optionsOf(gate, circuitBreaker));
  return Reflect.set(config, 'adapter', adapter) ? config : { ...config, adapter };
}

/** The adapter without this breaker's guards: a config may be sent again with one still on it. */
function withoutGuard(gate: Gate, adapter: unknown): unknown {
  if (!isGuard(adapter)) return adapter;
  const inner = withoutGuard(gate, adapter.inner);
  return adapter.gate === gate ? inner : createGuard(adapter.gate, inner, adapter.options);
}

function isGuard(adapter: unknown): adapter is Guard {
  return typeof adapter === 'function' && 'gate' in adapter && 'inner' in adapter;
}

/** The options of one request. Bad ones are reported and left out: an interceptor must not throw. */
function optionsOf(gate: Gate, given: unknown): RequestOptions {
  if (given === undefined) return {};
  try {
    checkRequestOptions(given);
    return given;
  } catch (error) {
    gate.faults.report('circuitBreaker', error);
    return {};
  }
}

function createGuard(gate: Gate, inner: unknown, options: RequestOptions): Guard {
  const guard = ((config) => {
    // A retry plugin re-sends this config: it finds it as it was.
    if (config.adapter === guard) Reflect.set(config, 'adapter', inner);
    try {
      const adapter = gate.resolveAdapter(inner, config);
      if (gate.isDetached) return adapter(config);
      const { key, requestTimeout = gate.requestTimeout } = options;
      const compartment = gate.find(config, key);
      return admit(gate, { adapter, config, compartment, requestTimeout });
    } catch (error) {
      return Promise.reject(error);
    }
  }) as Guard;
  guard.gate = gate;
  guard.inner = inner;
  guard.options = options;
  return guard;
}

/** Refuses, or waits for a place if that must be, and takes the permit last. */
function admit(gate: Gate, request: Request): Promise<unknown> {
  const { circuit, bulkhead } = request.compartment;
  if (bulkhead.tryEnter()) return send(gate, request);
  const refusal = circuit.refuse();
  if (refusal) return Promise.reject(refuse(gate, request, refusal));
  return bulkhead.wait(cancellation(request.config)).then((waited) => {
    if (waited === 'place') return send(gate, request);
    if (waited === 'opened') return admit(gate, request);
    circuit.countRefused();
    throw waited === 'full' ? turnAway(gate, request) : cancelled(request.config);
  });
}

/** With a place taken. */
function send(gate: Gate, request: Request): Promise<unknown> {
  const { compartment, config, requestTimeout } = request;
  const { circuit, bulkhead } = compartment;
  const permit = circuit.acquire(firstFinite(requestTimeout, config.timeout));
  if (permit.refused) {
    bulkhead.leave();
    return Promise.reject(refuse(gate, request, permit));
  }
  try {
    return exchange(gate, request, permit);
  } catch (error) {
    bulkhead.leave();
    permit.settle('ignored', { error });
    return Promise.reject(error);
  }
}

function exchange(gate: Gate, request: Request, permit: Permit): Promise<unknown> {
  const { adapter, config, compartment, requestTimeout = Infinity } = request;
  const ms = Math.min(requestTimeout, gate.observes ? Infinity : permit.lease);
  let timeout: TimeoutError | undefined;
  const createError = () =>
    (timeout = withoutStack(() => new TimeoutError(originOf(gate, request), ms)));
  const answer =
    ms === Infinity
      ? Promise.resolve(adapter(config))
      : withDeadline(adapter, config, { ms, clock: gate.clock, createError });
  const judgeResponse = (response: unknown) => {
    compartment.bulkhead.leave();
    const { verdict, error, rateLimit } = gate.judge.judgeResponse(response);
    permit.settle(verdict, { response, error, rateLimit });
  };
  const judgeError = (error: unknown) => {
    compartment.bulkhead.leave();
    const { verdict, rateLimit } = gate.judge.judgeError(error, config);
    const isOurs = timeout !== undefined && error === timeout;
    const isExcused = verdict !== 'failure';
    permit.settle(isOurs ? 'failure' : verdict, { error, isExcused, rateLimit });
  };
  // Axios attaches its transform in this tick: one later, the judges see what it made of the data,
  // and still come before every response interceptor. Not queueMicrotask: fake timers stop it.
  void Promise.resolve().then(() => answer.then(judgeResponse, judgeError));
  return answer;
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
