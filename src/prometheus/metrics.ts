import { Counter, Gauge, Histogram, type Aggregator, type Metric } from 'prom-client';
import { stateCodes } from '../metrics/states.js';
import type { CircuitSnapshot } from '../snapshot.js';

/** A gauge with one series for each circuit, and what it reads. */
interface Reading {
  /** Of its name, after the prefix. */
  readonly suffix: string;
  readonly help: string;
  /** How the workers of a cluster become one figure. */
  readonly aggregator: Aggregator;
  readonly read: (snapshot: CircuitSnapshot) => number;
}

const readings: readonly Reading[] = [
  {
    suffix: 'state_code',
    help: 'State of the circuit: -1 disabled, 0 closed, 1 half-open, 2 open, 3 forced-open.',
    aggregator: 'max',
    read: ({ state }) => stateCodes[state],
  },
  {
    suffix: 'failure_ratio',
    help: 'Share of failed calls in the current window, 0 when it is empty.',
    aggregator: 'average',
    read: ({ failureRate }) => failureRate,
  },
  {
    suffix: 'slow_ratio',
    help: 'Share of slow calls in the current window, 0 when it is empty.',
    aggregator: 'average',
    read: ({ slowRate }) => slowRate,
  },
  {
    suffix: 'exchanges_in_flight',
    help: 'Exchanges under way.',
    aggregator: 'sum',
    read: ({ inFlight }) => inFlight,
  },
  {
    suffix: 'requests_queued',
    help: 'Requests that wait: for a place, or for the circuit to close.',
    aggregator: 'sum',
    read: ({ queued }) => queued,
  },
  {
    suffix: 'retry_after_seconds',
    help: 'Time until the next request may be sent, +Inf where only a command ends it.',
    aggregator: 'max',
    read: ({ retryAfterMs }) => retryAfterMs / 1_000,
  },
];

/** The metrics of all breakers of one registry, not registered yet; `collect` is called at a scrape. */
export function createMetrics(prefix: string, buckets: readonly number[], collect: () => void) {
  const common = { registers: [], collect };
  const ofCircuit = ['breaker', 'key'] as const;
  const name = {
    state: `${prefix}state`,
    refused: `${prefix}requests_refused_total`,
    transitions: `${prefix}transitions_total`,
    durations: `${prefix}exchange_duration_seconds`,
  };
  const state = new Gauge({
    ...common,
    name: name.state,
    help: '1 for the state that the circuit is in, 0 for the others.',
    labelNames: [...ofCircuit, 'state'],
    aggregator: 'max',
  });
  const gauges = readings.map(({ suffix, help, aggregator, read }) => {
    const name = `${prefix}${suffix}`;
    const gauge = new Gauge({ ...common, name, help, labelNames: ofCircuit, aggregator });
    return { name, gauge, read };
  });
  const refused = new Counter({
    ...common,
    name: name.refused,
    help: 'Requests that were not sent, by the state of the circuit and why.',
    labelNames: [...ofCircuit, 'state', 'reason'],
  });
  const transitions = new Counter({
    ...common,
    name: name.transitions,
    help: 'Changes of state, by the states and why.',
    labelNames: [...ofCircuit, 'from', 'to', 'reason'],
  });
  const durations = new Histogram({
    ...common,
    name: name.durations,
    help: 'Duration of exchanges, by what they said about the server.',
    labelNames: [...ofCircuit, 'verdict'],
    // prom-client freezes the list that it is given.
    buckets: [...buckets],
  });
  // By the names that the registry knows them by: an OpenMetrics registry changes their own.
  const byName = new Map<string, Metric>([
    [name.state, state],
    ...gauges.map(({ name, gauge }) => [name, gauge] as const),
    [name.refused, refused],
    [name.transitions, transitions],
    [name.durations, durations],
  ]);
  return { state, gauges, refused, transitions, durations, byName };
}

export type Metrics = ReturnType<typeof createMetrics>;
