import { checkRequestOptions } from '../check-options.js';
import type { CircuitBreakerOptions, RequestOptions } from '../options.js';
import { ownFields } from '../own-fields.js';
import type { AdapterResolver } from './adapter.js';
import type { Adapter, RequestConfig } from './axios-like.js';
import { dispatch, type Compartment, type Gate } from './dispatch.js';
import { isGuarded } from './guarded.js';
import type { Substitute } from './instead.js';

/** What a guard asks of its breaker. */
export interface GuardGate extends Gate {
  /** The circuit that a request belongs to, by its own key if it has one. */
  readonly find: (config: RequestConfig, ownKey: string | undefined) => Compartment;
  readonly resolveAdapter: AdapterResolver;
  /** The client's own adapter, as of now. */
  readonly defaultAdapter: () => unknown;
  /** The outermost guard that stands before an exchange, by its config. */
  readonly outermost: WeakMap<RequestConfig, unknown>;
  readonly requestTimeout: number | undefined;
  readonly fallback: Substitute | undefined;
  readonly toSubstitute: (fallback: NonNullable<CircuitBreakerOptions['fallback']>) => Substitute;
}

/** Stands in for a request's adapter, until the request reaches the wire. */
interface Guard extends Adapter {
  gate: GuardGate;
  /** The adapter that it stands for, as the config had it. */
  inner: unknown;
  options: RequestOptions;
  /** The data as the config had it: at the wire it is encoded. */
  data: unknown;
}

/** The config with a guard around its adapter; the same object wherever it can be written to. */
export function withGuard(gate: GuardGate, config: RequestConfig): RequestConfig {
  const { circuitBreaker, data } = config;
  const inner = withoutGuard(gate, config.adapter);
  const adapter =
    circuitBreaker === false
      ? inner
      : createGuard(gate, inner, optionsOf(gate, circuitBreaker), data);
  return setAdapter(config, adapter) ? config : { ...config, adapter };
}

/** Returns whether the config can be written to. */
function setAdapter(config: RequestConfig, adapter: unknown): boolean {
  try {
    // An assignment tells nothing of that where a bundler has made the code sloppy.
    return Reflect.set(config, 'adapter', adapter);
  } catch {
    return false;
  }
}

/** The adapter without this breaker's guards: a config may be sent again with one still on it. */
function withoutGuard(gate: GuardGate, adapter: unknown): unknown {
  if (!isGuard(adapter)) return adapter;
  const inner = withoutGuard(gate, adapter.inner);
  return adapter.gate === gate
    ? inner
    : createGuard(adapter.gate, inner, adapter.options, adapter.data);
}

function isGuard(adapter: unknown): adapter is Guard {
  return isGuarded(adapter);
}

/** With all fields of its own: a polluted prototype adds none. */
const noOptions: { [Name in keyof Required<RequestOptions>]: undefined } = {
  key: undefined,
  requestTimeout: undefined,
  fallback: undefined,
};

/** The options of one request. Bad ones are reported and left out: an interceptor must not throw. */
function optionsOf(gate: GuardGate, given: unknown): RequestOptions {
  if (given === undefined) return noOptions;
  try {
    checkRequestOptions(given);
    return ownFields(given);
  } catch (error) {
    gate.faults.report('circuitBreaker', error);
    return noOptions;
  }
}

function createGuard(
  gate: GuardGate,
  inner: unknown,
  options: RequestOptions,
  data: unknown,
): Guard {
  const guard = ((config) => {
    const isWrapped = config.adapter !== guard;
    // A retry plugin re-sends this config: it finds it as it was.
    if (!isWrapped) setAdapter(config, inner);
    // Whoever wrapped an earlier guard carries it along when the config is sent again.
    const isNested = isWrapped && (gate.outermost.get(config) ?? guard) !== guard;
    // The client's own adapter brings no guard along.
    const mayNest = typeof inner === 'function' && inner !== gate.defaultAdapter();
    if (mayNest) gate.outermost.set(config, guard);
    try {
      const adapter = gate.resolveAdapter(inner, config);
      if (gate.events.isClosed || isNested) return adapter(config);
      const { key, requestTimeout = gate.requestTimeout } = options;
      const compartment = gate.find(config, key);
      const fallback = fallbackOf(gate, options);
      return dispatch(gate, {
        adapter,
        config,
        data,
        compartment,
        requestTimeout,
        fallback,
        permit: undefined,
        hasFailed: false,
      });
    } catch (error) {
      return Promise.reject(error);
    }
  }) as Guard;
  guard.gate = gate;
  guard.inner = inner;
  guard.options = options;
  guard.data = data;
  return guard;
}

function fallbackOf(gate: GuardGate, { fallback }: RequestOptions): Substitute | undefined {
  if (fallback === false) return undefined;
  return fallback === undefined ? gate.fallback : gate.toSubstitute(fallback);
}
