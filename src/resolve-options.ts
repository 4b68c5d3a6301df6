import { checkOptions } from './check-options.js';
import { systemClock, type Clock } from './circuit/clock.js';
import type { CircuitRules } from './circuit/rules.js';
import type { Fallback } from './fallback/fallback.js';
import { asFallback } from './fallback/first-of.js';
import { warn, type FaultHandler } from './faults.js';
import { isFailure } from './http/is-failure.js';
import type { BulkheadRules } from './http/bulkhead.js';
import type { KeyFunction } from './http/key.js';
import type { RateLimitRules } from './http/rate-limits.js';
import type { ErrorHandler, ResponseHandler } from './http/verdict.js';
import type { CircuitBreakerOptions } from './options.js';
import { ownFields } from './own-fields.js';
import type { SharedState } from './shared-state.js';

/** The options with every default in place. */
export interface ResolvedOptions {
  readonly name: string;
  readonly errorHandler: ErrorHandler;
  readonly responseHandler: ResponseHandler | undefined;
  readonly clock: Clock;
  readonly onFault: FaultHandler;
  readonly requestTimeout: number | undefined;
  readonly rateLimit: RateLimitRules | undefined;
  readonly bulkhead: BulkheadRules;
  readonly key: 'origin' | KeyFunction | undefined;
  readonly maxKeys: number;
  readonly fallback: Fallback | undefined;
  readonly fallsBackOnFailure: boolean;
  readonly shared: SharedState | undefined;
  readonly rules: CircuitRules;
}

/** @throws TypeError or RangeError where an option is unknown, is bad, or contradicts another. */
export function resolveOptions(given: CircuitBreakerOptions): ResolvedOptions {
  checkOptions(given);
  // Only what the caller wrote: a polluted prototype must not set an option.
  const options = ownFields(given);
  const rules = resolveRules(options);
  return {
    name: options.name ?? 'default',
    errorHandler: options.errorHandler ?? isFailure,
    responseHandler: options.responseHandler,
    clock: options.clock ?? systemClock,
    onFault: options.onFault ?? warn,
    requestTimeout: options.requestTimeout,
    rateLimit: resolveRateLimit(options, rules),
    bulkhead: {
      // What only observes must not turn anybody away.
      maxConcurrent: rules.observe ? Infinity : (options.maxConcurrent ?? Infinity),
      maxQueued: options.maxQueued ?? 0,
      maxQueueWait: options.maxQueueWait ?? options.requestTimeout ?? 30_000,
    },
    key: options.key,
    maxKeys: options.maxKeys ?? 1_000,
    fallback: options.fallback && asFallback(options.fallback),
    fallsBackOnFailure: options.fallbackOn === 'failure',
    shared: options.shared,
    rules,
  };
}

function resolveRateLimit(
  { rateLimit: given = {} }: CircuitBreakerOptions,
  { cooldown }: CircuitRules,
): RateLimitRules | undefined {
  if (given === false) return undefined;
  const rateLimit = ownFields(given);
  return {
    minWait: rateLimit.minWait ?? 1_000,
    maxWait: rateLimit.maxWait ?? 86_400_000,
    maxWaitOther: rateLimit.maxWaitOther ?? cooldown.max,
    jitter: rateLimit.jitter ?? 0,
    wait: rateLimit.wait,
    preempt: rateLimit.preempt ?? false,
    units: rateLimit.units,
    headers: rateLimit.headers,
  };
}

function resolveRules(options: CircuitBreakerOptions): CircuitRules {
  const { failureThreshold, consecutiveFailures, windowDuration = 10_000, windowSize } = options;
  const hasRule = failureThreshold !== undefined || consecutiveFailures !== undefined;
  const firstError = !hasRule && options.errorHandler !== undefined;
  const usesDefaults = !hasRule && !firstError;
  const base = options.cooldown ?? options.timeout ?? (firstError ? 10_000 : 1_000);
  const { slowCallDuration } = options;
  return {
    slowCallDuration,
    window:
      windowSize === undefined
        ? { kind: 'time', duration: windowDuration }
        : { kind: 'count', size: windowSize },
    trip: {
      firstError,
      failureThreshold: usesDefaults ? 0.5 : failureThreshold,
      consecutiveFailures: usesDefaults ? 5 : consecutiveFailures,
      slowCallThreshold:
        slowCallDuration === undefined ? undefined : (options.slowCallThreshold ?? 0.5),
      minimumCalls: options.minimumCalls ?? windowSize ?? 10,
    },
    cooldown: {
      base,
      factor: options.cooldownFactor ?? (firstError ? 1 : 2),
      max: options.maxCooldown ?? Math.max(30_000, base),
      jitter: options.cooldownJitter ?? (firstError ? 0 : 0.1),
      stableAfter: windowDuration,
    },
    ...resolveRecovery(options),
    observe: options.mode === 'observe',
    random: () => Math.random(),
  };
}

function resolveRecovery({
  halfOpen,
}: CircuitBreakerOptions): Pick<CircuitRules, 'recovery' | 'probing'> {
  const {
    probes = 1,
    concurrent = 1,
    lease,
  } = ownFields(halfOpen === false ? {} : (halfOpen ?? {}));
  const probing = { probes, concurrent, lease };
  if (halfOpen === undefined) return { recovery: undefined, probing };
  return { recovery: halfOpen === false ? 'clock' : 'probe', probing };
}
