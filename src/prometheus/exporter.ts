import type { OpenMetricsContentType, Registry } from 'prom-client';
import type { Breaker } from '../breaker.js';
import { BreakerMetrics } from './breaker-metrics.js';
import { createMetrics, type Metrics } from './metrics.js';

/** A registry of prom-client, of either format. */
export type MetricsRegistry = Registry | Registry<OpenMetricsContentType>;

/** The metrics with one prefix on one registry, and the breakers that they show. */
export class Exporter {
  readonly buckets: readonly number[];
  readonly #registry: MetricsRegistry;
  readonly #metrics: Metrics;
  readonly #shown = new Set<BreakerMetrics>();
  #isFresh = false;

  /** @throws Error where the registry has a metric of such a name. */
  constructor(registry: MetricsRegistry, prefix: string, buckets: readonly number[]) {
    this.buckets = [...buckets];
    this.#registry = registry;
    this.#metrics = createMetrics(prefix, buckets, () => this.#refresh());
    const { byName } = this.#metrics;
    const taken = [...byName.keys()].find((name) => registry.getSingleMetric(name) !== undefined);
    if (taken !== undefined) {
      throw new Error(`The registry has another metric \`${taken}\`: use another \`prefix\``);
    }
    for (const metric of byName.values()) registry.registerMetric(metric);
  }

  /** Whether its metrics are still on the registry, which may have been cleared. */
  get isRegistered(): boolean {
    return [...this.#metrics.byName].every(
      ([name, metric]) => this.#registry.getSingleMetric(name) === metric,
    );
  }

  /** The names of the breakers that it shows. */
  get breakers(): string[] {
    return [...this.#shown].filter(({ isOver }) => !isOver).map(({ name }) => name);
  }

  /** Returns the function that takes the breakers away, and with the last one the metrics. */
  add(breakers: readonly Breaker[]): () => void {
    this.#dropOver();
    const added = breakers.map((breaker) => new BreakerMetrics(breaker, this.#metrics));
    for (const shown of added) this.#shown.add(shown);
    return () => {
      for (const shown of added) this.#drop(shown);
      if (this.#shown.size === 0) this.#unregister();
    };
  }

  /** All metrics of a scrape are collected in one tick: the breakers are read once for them. */
  #refresh(): void {
    if (this.#isFresh) return;
    this.#isFresh = true;
    void Promise.resolve().then(() => (this.#isFresh = false));
    const { state, gauges } = this.#metrics;
    for (const gauge of [state, ...gauges.map(({ gauge }) => gauge)]) gauge.reset();
    this.#dropOver();
    for (const shown of this.#shown) shown.refresh();
  }

  /** Before another breaker of that name has series. */
  #dropOver(): void {
    for (const shown of this.#shown) if (shown.isOver) this.#drop(shown);
  }

  #drop(shown: BreakerMetrics): void {
    if (this.#shown.delete(shown)) shown.stop();
  }

  #unregister(): void {
    for (const [name, metric] of this.#metrics.byName) {
      if (this.#registry.getSingleMetric(name) === metric) this.#registry.removeSingleMetric(name);
    }
  }
}
