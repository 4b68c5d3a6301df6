import axios, {
  type AxiosAdapter,
  type AxiosInstance,
  type InternalAxiosRequestConfig,
} from 'axios';
import {
  CircuitBreakerWithEmitter,
  holdUntilClosed,
  staticFallback,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import { Witness } from './witness.js';

/** A client with a breaker, and who watches both. */
export interface Subject {
  readonly client: AxiosInstance;
  readonly breaker: CircuitBreakerWithEmitter;
  readonly witness: Witness;
}

const byPath = (config: { url?: string }) => config.url?.split('?')[0] ?? '/';

/** Rests are short, so that each circuit opens and closes often. */
const short = {
  key: byPath,
  cooldown: 60,
  maxCooldown: 200,
  rateLimit: { minWait: 20, maxWait: 200 },
} satisfies CircuitBreakerOptions;

/** One of each way to set a breaker up. */
export const settings: readonly CircuitBreakerOptions[] = [
  {
    ...short,
    name: 'first error',
    errorHandler: ({ response }) => response?.status === 429,
    fallback: staticFallback({ text: 'instead' }),
  },
  { ...short, name: 'outage', slowCallDuration: 20, failureThreshold: 0.5, consecutiveFailures: 5 },
  {
    ...short,
    name: 'bulkhead',
    requestTimeout: 30,
    maxConcurrent: 4,
    maxQueued: 8,
    maxQueueWait: 40,
  },
  {
    ...short,
    name: 'probes',
    windowSize: 20,
    minimumCalls: 10,
    failureThreshold: 0.3,
    halfOpen: { probes: 3, concurrent: 2, lease: 25 },
  },
  {
    ...short,
    name: 'held',
    consecutiveFailures: 3,
    maxConcurrent: 10,
    maxQueued: 2,
    fallback: holdUntilClosed({ maxWaiting: 20, maxWait: 150 }),
  },
  {
    ...short,
    name: 'instead of failures',
    requestTimeout: 40,
    fallback: staticFallback('instead'),
    fallbackOn: 'failure',
  },
];

/** By `origin`, as real requests have one. */
export const realSettings: readonly CircuitBreakerOptions[] = [
  { ...short, name: 'real', key: 'origin', requestTimeout: 80, slowCallDuration: 40 },
  {
    ...short,
    name: 'real, held',
    maxConcurrent: 20,
    maxQueued: 20,
    fallback: holdUntilClosed({ maxWaiting: 50, maxWait: 200 }),
  },
];

/** A client that sends by `adapter`, with a breaker so set up. */
export function createSubject(options: CircuitBreakerOptions, adapter: AxiosAdapter): Subject {
  const witness = new Witness();
  const client = axios.create({ adapter: witness.within(adapter) });
  const standAround = (config: InternalAxiosRequestConfig) => {
    const guard = config.adapter as AxiosAdapter;
    if (config.circuitBreaker !== false) config.adapter = witness.around(guard);
    return config;
  };
  // Registered before the breaker, so that it runs after it.
  client.interceptors.request.use(standAround, null, { synchronous: true });
  const breaker = new CircuitBreakerWithEmitter(client, options);
  witness.listenTo(breaker);
  return { client, breaker, witness };
}
