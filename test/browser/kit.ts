/** What the pages of these tests have: compiled, with the package as it is built, and put on them as `kit`. */
import axios, { type AxiosRequestConfig } from 'axios';
import {
  CircuitBreakerWithEmitter,
  holdUntilClosed,
  isBreakerOpenError,
  isTimeoutError,
  staticFallback,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import { serveStale } from '../../src/stale/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { watch } from '../support/watch.js';

/** A client of `baseURL` with a breaker, whose time stands still until it is advanced. */
function start(config: AxiosRequestConfig, options: CircuitBreakerOptions = {}) {
  const clock = new ManualClock();
  const client = axios.create(config as object);
  const breaker = new CircuitBreakerWithEmitter(client, { cooldownJitter: 0, clock, ...options });
  const told = watch(breaker);
  /** What comes of a request: the status, or the code of the error. */
  const send = (request: AxiosRequestConfig = { url: '/' }): Promise<string | number> =>
    client.request(request).then(
      ({ status, fallback }) => fallback ?? status,
      (error: unknown) => nameOf(error),
    );
  return { client, breaker, clock, told, send };
}

function nameOf(error: unknown): string {
  if (isBreakerOpenError(error)) return axios.isCancel(error) ? 'refused' : 'refused, no cancel';
  if (isTimeoutError(error)) return 'TimeoutError';
  return axios.isAxiosError(error) ? String(error.code) : String(error);
}

const kit = {
  axios,
  CircuitBreakerWithEmitter,
  holdUntilClosed,
  serveStale,
  staticFallback,
  start,
};
export type Kit = typeof kit;

Object.assign(globalThis, { kit });
