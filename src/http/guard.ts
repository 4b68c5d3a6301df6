import type { AxiosRequestConfig } from 'axios';
import type { Circuit } from '../circuit/circuit.js';
import type { Refusal } from '../circuit/figures.js';
import type { Permit } from '../circuit/permit.js';
import { BreakerOpenError, withoutStack } from '../errors.js';
import type { EventQueue } from '../events.js';
import type { AdapterResolver } from './adapter.js';
import type { Adapter, RequestConfig } from './axios-like.js';
import type { Judge } from './verdict.js';

/** What a guard asks of its breaker. */
export interface Gate {
  readonly name: string;
  readonly isDetached: boolean;
  readonly circuit: Circuit;
  readonly judge: Judge;
  readonly events: EventQueue;
  readonly resolveAdapter: AdapterResolver;
}

/** Stands in for a request's adapter, until the request reaches the wire. */
interface Guard extends Adapter {
  gate: Gate;
  /** The adapter that it stands for, as the config had it. */
  inner: unknown;
}

/** The config with a guard around its adapter; the same object wherever it can be written to. */
export function withGuard(gate: Gate, config: RequestConfig): RequestConfig {
  const adapter = withoutGuard(gate, config.adapter);
  const guarded = config.circuitBreaker === false ? adapter : createGuard(gate, adapter);
  return Reflect.set(config, 'adapter', guarded) ? config : { ...config, adapter: guarded };
}

/** The adapter without this breaker's guards: a config may be sent again with one still on it. */
function withoutGuard(gate: Gate, adapter: unknown): unknown {
  if (!isGuard(adapter)) return adapter;
  const inner = withoutGuard(gate, adapter.inner);
  return adapter.gate === gate ? inner : createGuard(adapter.gate, inner);
}

function isGuard(adapter: unknown): adapter is Guard {
  return typeof adapter === 'function' && 'gate' in adapter && 'inner' in adapter;
}

function createGuard(gate: Gate, inner: unknown): Guard {
  const guard = ((config) => {
    // A retry plugin re-sends this config: it finds it as it was.
    if (config.adapter === guard) Reflect.set(config, 'adapter', inner);
    try {
      const adapter = gate.resolveAdapter(inner, config);
      return gate.isDetached ? adapter(config) : admit(gate, adapter, config);
    } catch (error) {
      return Promise.reject(error);
    }
  }) as Guard;
  guard.gate = gate;
  guard.inner = inner;
  return guard;
}

function admit(gate: Gate, adapter: Adapter, config: RequestConfig): Promise<unknown> {
  const permit = gate.circuit.acquire(deadlineOf(config));
  if (permit.refused) return Promise.reject(refuse(gate, permit, config));
  return exchange(gate, permit, adapter, config);
}

function exchange(
  gate: Gate,
  permit: Permit,
  adapter: Adapter,
  config: RequestConfig,
): Promise<unknown> {
  let answer: unknown;
  try {
    answer = adapter(config);
  } catch (error) {
    permit.settle('ignored', { error });
    throw error;
  }
  const settled = Promise.resolve(answer);
  const judgeResponse = (response: unknown) => {
    const { verdict, error } = gate.judge.judgeResponse(response);
    permit.settle(verdict, { response, error });
  };
  const judgeError = (error: unknown) => {
    permit.settle(gate.judge.judgeError(error, config).verdict, { error });
  };
  // Axios attaches its transform in this tick: one later, the judges see what it made of the data,
  // and still come before every response interceptor. Not queueMicrotask: fake timers stop it.
  void Promise.resolve().then(() => settled.then(judgeResponse, judgeError));
  return settled;
}

function refuse(gate: Gate, refusal: Refusal, config: RequestConfig): BreakerOpenError {
  const { key } = gate.circuit;
  const origin = { breaker: gate.name, key, config: config as AxiosRequestConfig };
  const error = withoutStack(() => new BreakerOpenError(origin, refusal));
  gate.events.push('REFUSE', { key, error });
  gate.events.flush();
  return error;
}

function deadlineOf({ timeout }: RequestConfig): number {
  return typeof timeout === 'number' && timeout > 0 ? timeout : 30_000;
}
