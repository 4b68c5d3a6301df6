import { metrics, type BatchObservableResult, type Meter } from '@opentelemetry/api';
import type { Breaker } from '../breaker.js';
import { fail, ofType, readOptions, type Check } from '../checks.js';
import { describe } from '../describe.js';
import { createInstruments } from './instruments.js';
import { Telemetry } from './telemetry.js';

/** Where the figures go. */
export interface TelemetryOptions {
  /**
   * The meter of your SDK.
   * @default metrics.getMeter('axios-circuit-guard')
   */
  readonly meter?: Meter | undefined;
  /**
   * Whether each change of a circuit's state is an event of the span that is active then, if one is.
   * @default true
   */
  readonly spanEvents?: boolean | undefined;
}

const checks: Record<keyof TelemetryOptions, Check> = {
  meter: ofType(
    'object',
    'a meter of OpenTelemetry',
    (value) => typeof (value as Partial<Meter>).addBatchObservableCallback === 'function',
  ),
  spanEvents: ofType('boolean', 'true or false'),
};

/**
 * Shows one breaker or several by a meter of OpenTelemetry. Gauges and counters are read when the SDK
 * collects; those of a circuit that is evicted, and of a breaker that is detached, are gone with the next
 * collection. Each breaker needs a `name` of its own.
 *
 * Returns the function that ends it.
 *
 * @throws TypeError or RangeError where an option is unknown or bad, or what is to be shown is no breaker.
 * @throws Error where two of them have the same name.
 * @example
 * import axios from 'axios';
 * import { CircuitBreaker } from 'axios-circuit-guard';
 * import { exportTelemetry } from 'axios-circuit-guard/opentelemetry';
 *
 * const breaker = new CircuitBreaker(axios.create(), { name: 'orders' });
 * const stop = exportTelemetry(breaker);
 */
export function exportTelemetry(
  breakers: Breaker | readonly Breaker[],
  options: TelemetryOptions = {},
): () => void {
  const list: readonly Breaker[] = [breakers].flat();
  for (const breaker of list) checkBreaker(breaker);
  checkNames(list.map(({ name }) => name));
  const { meter = metrics.getMeter('axios-circuit-guard'), spanEvents = true } = readOptions(
    options,
    checks,
  );

  const instruments = createInstruments(meter);
  const shown = list.map((breaker) => new Telemetry(breaker, instruments, spanEvents));
  const observe = (result: BatchObservableResult) => {
    for (const telemetry of shown) telemetry.observe(result);
  };
  const observables = Object.values(instruments.observed);
  meter.addBatchObservableCallback(observe, observables);
  return () => {
    meter.removeBatchObservableCallback(observe, observables);
    for (const telemetry of shown) telemetry.stop();
  };
}

function checkNames(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return;
  throw new Error(`Expected breakers of different names, got ${describe(twice)} twice`);
}

function checkBreaker(breaker: unknown): void {
  if (typeof (breaker as Partial<Breaker> | null | undefined)?.addSink === 'function') return;
  fail('breakers', 'a circuit breaker or a list of them', breaker, TypeError);
}
