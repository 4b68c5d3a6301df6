import {
  callback,
  capacity,
  checkEach,
  clock,
  count,
  fail,
  names,
  number,
  ofType,
  positive,
  type Check,
} from './checks.js';
import { describe } from './describe.js';
import { longestKey } from './http/key.js';
import type {
  CircuitBreakerOptions,
  HalfOpenOptions,
  RateLimitOptions,
  RequestOptions,
} from './options.js';

const length = number('a number of milliseconds, 0 or more', (value) => value >= 0);
const share = number('a number above 0 and at most 1', (value) => value > 0 && value <= 1);
const part = number('a number from 0 to 1', (value) => value >= 0 && value <= 1);

const falseOrObject: Check = (value) =>
  value === false ? undefined : ofType('object', 'false or an object')(value);

const finite = number(
  'a finite number of milliseconds above 0',
  (value) => value > 0 && value < Infinity,
);

const label = ofType('string', `a string of 1 to ${longestKey} characters`, (value) => {
  const { length } = value as string;
  return length >= 1 && length <= longestKey;
});

const fallback: Check = (value) =>
  typeof value === 'function' ||
  typeof (value as { answer?: unknown } | null)?.answer === 'function'
    ? undefined
    : { expected: 'a function or a fallback', ofType: 'function' };

const requestChecks: Record<keyof RequestOptions, Check> = {
  fallback: (value) => (value === false ? undefined : fallback(value)),
  key: label,
  requestTimeout: positive,
};

const units = ['s', 'ms', 'epoch-s', 'epoch-ms'];

const rateLimitChecks: Record<keyof RateLimitOptions, Check> = {
  minWait: length,
  maxWait: finite,
  maxWaitOther: finite,
  jitter: part,
  wait: callback,
  preempt: ofType('boolean', 'true or false'),
  units: ofType('object', `an object of header names and units (${units.join(', ')})`, (value) =>
    Object.values(value as object).every((unit) => units.includes(unit as string)),
  ),
  headers: names('a list of header names'),
};

const halfOpenChecks: Record<keyof HalfOpenOptions, Check> = {
  probes: count,
  concurrent: count,
  lease: finite,
};

const checks: Record<keyof CircuitBreakerOptions, Check> = {
  name: label,
  errorHandler: callback,
  responseHandler: callback,
  cooldown: length,
  timeout: length,
  failureThreshold: share,
  windowDuration: finite,
  windowSize: capacity,
  minimumCalls: count,
  consecutiveFailures: count,
  slowCallDuration: positive,
  requestTimeout: positive,
  slowCallThreshold: share,
  fallback,
  fallbackOn: ofType('string', "'refusal' or 'failure'", (value) =>
    ['refusal', 'failure'].includes(value as string),
  ),
  maxConcurrent: count,
  maxQueued: number('an integer, 0 or more', (value) => Number.isSafeInteger(value) && value >= 0),
  maxQueueWait: positive,
  key: (value) =>
    value === 'origin' ? undefined : ofType('function', "'origin' or a function")(value),
  maxKeys: count,
  halfOpen: falseOrObject,
  rateLimit: falseOrObject,
  cooldownFactor: number(
    'a finite number of at least 1',
    (value) => value >= 1 && value < Infinity,
  ),
  maxCooldown: length,
  cooldownJitter: part,
  shared: (value) =>
    typeof (value as { join?: unknown } | null)?.join === 'function'
      ? undefined
      : { expected: 'what redisState() returns', ofType: 'object' },
  mode: ofType('string', "'enforce' or 'observe'", (value) =>
    ['enforce', 'observe'].includes(value as string),
  ),
  clock,
  onFault: callback,
};

/** What users of other breakers write, where spelling alone would lead elsewhere. */
const otherNames = new Map<string, keyof CircuitBreakerOptions>([
  ['timeoutMs', 'requestTimeout'],
  ['resetTimeout', 'cooldown'],
  ['errorThresholdPercentage', 'failureThreshold'],
  ['threshold', 'failureThreshold'],
  ['volumeThreshold', 'minimumCalls'],
]);

/** @throws TypeError or RangeError where an option is unknown, is bad, or contradicts another. */
export function checkOptions(options: CircuitBreakerOptions): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) fail('options', 'an object', given, TypeError);
  checkEach('', options, checks, otherNames);
  if (options.halfOpen) checkEach('halfOpen.', options.halfOpen, halfOpenChecks, otherNames);
  if (options.rateLimit) checkEach('rateLimit.', options.rateLimit, rateLimitChecks, otherNames);
  forbidBoth(options, 'cooldown', 'timeout');
  if (options.shared !== undefined && options.name === undefined) {
    fail('name', 'a name of its own where `shared` is given', undefined, TypeError);
  }
  forbidBoth(options, 'windowDuration', 'windowSize');
  const { cooldown = options.timeout, maxCooldown, minimumCalls, windowSize } = options;
  if (cooldown !== undefined && maxCooldown !== undefined && maxCooldown < cooldown) {
    fail('maxCooldown', `at least cooldown (${cooldown})`, maxCooldown, RangeError);
  }
  if (minimumCalls !== undefined && windowSize !== undefined && minimumCalls > windowSize) {
    fail('minimumCalls', `at most windowSize (${windowSize})`, minimumCalls, RangeError);
  }
}

/** @throws TypeError or RangeError where an option of one request is unknown or bad. */
export function checkRequestOptions(options: unknown): asserts options is RequestOptions {
  if (typeof options !== 'object' || options === null) {
    fail('circuitBreaker', 'false or an object', options, TypeError);
  }
  checkEach('circuitBreaker.', options, requestChecks, otherNames);
}

/** What has no meaning where a function is called: it has one circuit. */
const onlyForRequests: readonly (keyof CircuitBreakerOptions)[] = ['key', 'maxKeys'];

/** @throws TypeError or RangeError where an option is unknown, is bad, or is only for requests. */
export function checkCallOptions(options: object): void {
  checkOptions(options);
  for (const name of onlyForRequests) {
    if (!Object.hasOwn(options, name)) continue;
    throw new TypeError(`Unknown option \`${name}\`: the calls of a function share one circuit`);
  }
}

function forbidBoth(
  options: CircuitBreakerOptions,
  one: keyof CircuitBreakerOptions,
  other: keyof CircuitBreakerOptions,
): void {
  if (options[one] === undefined || options[other] === undefined) return;
  throw new TypeError(
    `Expected one of \`${one}\` and \`${other}\`, got both: ${describe(options[one])} and ${describe(options[other])}`,
  );
}
