import { checkRequestOptions } from '../check-options.js';
import type { RequestOptions } from '../options.js';
import type { Adapter, RequestConfig } from './axios-like.js';
import { dispatch, type Gate } from './dispatch.js';

/** Stands in for a request's adapter, until the request reaches the wire. */
interface Guard extends Adapter {
  gate: Gate;
  /** The adapter that it stands for, as the config had it. */
  inner: unknown;
  options: RequestOptions;
  /** The data as the config had it: at the wire it is encoded. */
  data: unknown;
}

/** The config with a guard around its adapter; the same object wherever it can be written to. */
export function withGuard(gate: Gate, config: RequestConfig): RequestConfig {
  const { circuitBreaker, data } = config;
  const inner = withoutGuard(gate, config.adapter);
  const adapter =
    circuitBreaker === false
      ? inner
      : createGuard(gate, inner, optionsOf(gate, circuitBreaker), data);
  return Reflect.set(config, 'adapter', adapter) ? config : { ...config, adapter };
}

/** The adapter without this breaker's guards: a config may be sent again with one still on it. */
function withoutGuard(gate: Gate, adapter: unknown): unknown {
  if (!isGuard(adapter)) return adapter;
  const inner = withoutGuard(gate, adapter.inner);
  return adapter.gate === gate
    ? inner
    : createGuard(adapter.gate, inner, adapter.options, adapter.data);
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

function createGuard(gate: Gate, inner: unknown, options: RequestOptions, data: unknown): Guard {
  const guard = ((config) => {
    const isWrapped = config.adapter !== guard;
    // A retry plugin re-sends this config: it finds it as it was.
    if (!isWrapped) Reflect.set(config, 'adapter', inner);
    // Whoever wrapped an earlier guard carries it along when the config is sent again.
    const isNested = isWrapped && (gate.outermost.get(config) ?? guard) !== guard;
    if (typeof inner === 'function') gate.outermost.set(config, guard);
    try {
      const adapter = gate.resolveAdapter(inner, config);
      if (gate.events.isClosed || isNested) return adapter(config);
      const { key, requestTimeout = gate.requestTimeout } = options;
      const compartment = gate.find(config, key);
      const fallback = fallbackOf(gate, options);
      return dispatch(gate, { adapter, config, data, compartment, requestTimeout, fallback });
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

function fallbackOf(gate: Gate, { fallback }: RequestOptions): Gate['fallback'] {
  if (fallback === false) return undefined;
  return fallback === undefined ? gate.fallback : gate.toSubstitute(fallback);
}
