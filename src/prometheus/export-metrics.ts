import { fail, ofType, readOptions, type Check } from '../checks.js';
import type { Breaker } from '../breaker.js';
import { describe } from '../describe.js';
import { Exporter, type MetricsRegistry } from './exporter.js';

/** Where the metrics go. */
export interface MetricsOptions {
  /** The registry of your prom-client; nothing is put on any other. */
  readonly registry: MetricsRegistry;
  /**
   * What the names of the metrics begin with. Letters, digits, `_` and `:`, no digit first.
   * @default 'axios_circuit_'
   */
  readonly prefix?: string | undefined;
  /**
   * The upper bounds of the histogram of durations, in seconds. At least one; above 0, finite, each above
   * the one before. The same for all breakers of a registry.
   * @default [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
   */
  readonly buckets?: readonly number[] | undefined;
}

const defaultBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const registryText = 'a registry of prom-client';

const isRegistry = (value: unknown) =>
  ['registerMetric', 'getSingleMetric', 'removeSingleMetric'].every(
    (method) => typeof (value as Record<string, unknown>)[method] === 'function',
  );

const areBuckets = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((bound, index) => Number.isFinite(bound) && bound > (value[index - 1] ?? 0));

const checks: Record<keyof MetricsOptions, Check> = {
  registry: ofType('object', registryText, isRegistry),
  prefix: ofType('string', 'the beginning of a metric name', (value) =>
    /^[a-z_:][\w:]*$/i.test(value as string),
  ),
  buckets: ofType('object', 'a list of rising numbers of seconds above 0', areBuckets),
};

/** The exporters of each registry by their prefix. */
const exporters = new WeakMap<object, Map<string, Exporter>>();

/**
 * Shows one breaker or several as metrics of a registry of yours, which may show others already. Gauges
 * are read at each scrape; the series of a circuit that is evicted, and of a breaker that is detached,
 * go away with the next one.
 *
 * Returns the function that takes all away again that this call added.
 *
 * @throws TypeError or RangeError where an option is unknown or bad, or what is to be shown is no breaker.
 * @throws Error where another breaker of that name, or another metric of such a name, is on the registry.
 * @example
 * import axios from 'axios';
 * import { CircuitBreaker } from 'axios-circuit-guard';
 * import { exportMetrics } from 'axios-circuit-guard/prometheus';
 * import { register } from 'prom-client';
 *
 * const breaker = new CircuitBreaker(axios.create(), { name: 'orders' });
 * const unregister = exportMetrics(breaker, { registry: register });
 * console.log(await register.metrics());
 * unregister();
 */
export function exportMetrics(
  breakers: Breaker | readonly Breaker[],
  options: MetricsOptions,
): () => void {
  const list: readonly Breaker[] = [breakers].flat();
  checkBreakers(list);
  const { registry, prefix = 'axios_circuit_', buckets } = readOptions(options, checks);
  if ((registry as unknown) === undefined) fail('registry', registryText, registry, TypeError);
  const known = exporters.get(registry)?.get(prefix);
  const current = known?.isRegistered ? known : undefined;
  checkNames(list, current?.breakers ?? []);
  if (current) checkSame(current.buckets, buckets);
  const exporter = current ?? new Exporter(registry, prefix, buckets ?? defaultBuckets);
  exporters.set(registry, new Map(exporters.get(registry)).set(prefix, exporter));
  return exporter.add(list);
}

function checkBreakers(list: readonly unknown[]): void {
  for (const breaker of list) {
    if (typeof (breaker as Partial<Breaker> | null)?.addSink === 'function') continue;
    fail('breakers', 'a circuit breaker or a list of them', breaker, TypeError);
  }
}

function checkNames(list: readonly Breaker[], taken: readonly string[]): void {
  const names = [...taken, ...list.map(({ name }) => name)];
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return;
  throw new Error(
    `Expected breakers of different names on one registry, got ${describe(twice)} twice`,
  );
}

function checkSame(buckets: readonly number[], given: readonly number[] | undefined): void {
  if (given === undefined || String(given) === String(buckets)) return;
  fail('buckets', `those that the registry has: ${describe(buckets)}`, given, RangeError);
}
