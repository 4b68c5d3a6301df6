import axios, { type AxiosRequestConfig } from 'axios';
import { Registry } from 'prom-client';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../src/index.js';
import {
  exportMetrics,
  type MetricsOptions,
  type MetricsRegistry,
} from '../../src/prometheus/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { samples } from '../support/samples.js';

/** A breaker on a client whose server needs 250 ms for each answer. */
export function createBreaker(options: CircuitBreakerOptions = {}) {
  const clock = new ManualClock();
  const adapter = (config: AxiosRequestConfig) => {
    clock.advance(250);
    return Promise.resolve({ status: Number(config.params), headers: {}, data: '', config });
  };
  const client = axios.create({ adapter: adapter as never });
  const onFault = jest.fn();
  const breaker = new CircuitBreaker(client, {
    name: 'orders',
    consecutiveFailures: 1,
    cooldown: 1_000,
    cooldownJitter: 0,
    clock,
    onFault,
    ...options,
  });
  /** Sends requests one after the other, each answered so, whatever comes of it. */
  const get = async (...statuses: number[]) => {
    for (const params of statuses) await send({ params });
  };
  const send = async (config: AxiosRequestConfig) => {
    await client.request({ url: '/', ...config }).catch(() => undefined);
    await settle();
  };
  return { clock, client, breaker, onFault, get, send };
}

/** The metrics of a breaker, on a registry. */
export function exported(
  breaker: CircuitBreaker,
  { registry = new Registry(), ...options }: Partial<MetricsOptions> = {},
) {
  const unregister = exportMetrics(breaker, { registry, ...options });
  /** The series whose name goes on so after the prefix. */
  const scrape = (name = '') => samples(registry, `axios_circuit_${name}`);
  return { registry, unregister, scrape };
}

/** Both. */
export function setUp(options: CircuitBreakerOptions = {}) {
  const made = createBreaker(options);
  return { ...made, ...exported(made.breaker) };
}

/** The names of the metrics on a registry. */
export const namesOn = (registry: MetricsRegistry): string[] =>
  registry.getMetricsAsArray().map(({ name }) => name);

/** What labels the circuit of `setUp`. */
export const circuit = 'breaker="orders",key="default"';

/** An adapter whose server never answers. */
export const silence = (): Promise<never> => new Promise<never>(() => undefined);

/** The state series of that circuit. */
export const stateSeries = (state: string): Record<string, number> =>
  Object.fromEntries(
    ['disabled', 'closed', 'half-open', 'open', 'forced-open'].map((name) => [
      `axios_circuit_state{${circuit},state="${name}"}`,
      Number(name === state),
    ]),
  );

/** Until what is under way has gone as far as it can without the clock. */
export const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
