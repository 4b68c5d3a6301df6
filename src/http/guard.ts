import type { AxiosRequestConfig } from 'axios';
import { checkRequestOptions } from '../check-options.js';
import type { Circuit } from '../circuit/circuit.js';
import type { Clock } from '../circuit/clock.js';
import type { Refusal } from '../circuit/figures.js';
import type { Permit } from '../circuit/permit.js';
import { BreakerOpenError, TimeoutError, withoutStack, type ErrorOrigin } from '../errors.js';
import type { EventQueue } from '../events.js';
import type { Faults } from '../faults.js';
import type { RequestOptions } from '../options.js';
import type { AdapterResolver } from './adapter.js';
import type { Adapter, RequestConfig } from './axios-like.js';
import { withDeadline } from './deadline.js';
import type { Judge } from './verdict.js';

/** What a guard asks of its breaker. */
export interface Gate {
  readonly name: string;
  readonly isDetached: boolean;
  readonly circuit: Circuit;
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
}

/** Stands in for a request's adapter, until the request reaches the wire. */
interface Guard extends Adapter {
  gate: Gate;
  /** The adapter that it stands for, as the config had it. */
  inner: unknown;
  options: RequestOptions;
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
    const isWrapped = config.adapter !== guard;
    // A retry plugin re-sends this config: it finds it as it was.
    if (!isWrapped) Reflect.set(config, 'adapter', inner);
    // Whoever wrapped an earlier guard carries it along when the config is sent again.
    const isNested = isWrapped && (gate.outermost.get(config) ?? guard) !== guard;
    if (typeof inner === 'function') gate.outermost.set(config, guard);
    try {
      const adapter = gate.resolveAdapter(inner, config);
      if (gate.isDetached || isNested) return adapter(config);
      return admit(gate, adapter, config, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }) as Guard;
  guard.gate = gate;
  guard.inner = inner;
  guard.options = options;
  return guard;
}

function admit(
  gate: Gate,
  adapter: Adapter,
  config: RequestConfig,
  { requestTimeout = gate.requestTimeout }: RequestOptions,
): Promise<unknown> {
  const permit = gate.circuit.acquire(firstFinite(requestTimeout, config.timeout));
  if (permit.refused) return Promise.reject(refuse(gate, permit, config));
  try {
    return exchange(gate, permit, adapter, config, requestTimeout);
  } catch (error) {
    permit.settle('ignored', { error });
    throw error;
  }
}

function exchange(
  gate: Gate,
  permit: Permit,
  adapter: Adapter,
  config: RequestConfig,
  requestTimeout = Infinity,
): Promise<unknown> {
  const ms = Math.min(requestTimeout, gate.observes ? Infinity : permit.lease);
  let timeout: TimeoutError | undefined;
  const createError = () =>
    (timeout = withoutStack(() => new TimeoutError(originOf(gate, config), ms)));
  const answer =
    ms === Infinity
      ? Promise.resolve(adapter(config))
      : withDeadline(adapter, config, { ms, clock: gate.clock, createError });
  const judgeResponse = (response: unknown) => {
    const { verdict, error, rateLimit } = gate.judge.judgeResponse(response);
    permit.settle(verdict, { response, error, rateLimit });
  };
  const judgeError = (error: unknown) => {
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

function refuse(gate: Gate, refusal: Refusal, config: RequestConfig): BreakerOpenError {
  const origin = originOf(gate, config);
  const { key } = origin;
  const error = withoutStack(() => new BreakerOpenError(origin, refusal));
  gate.events.push('REFUSE', { key, error });
  gate.events.flush();
  return error;
}

function originOf(gate: Gate, config: RequestConfig): ErrorOrigin {
  return {
    breaker: gate.name,
    key: gate.circuit.key,
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
