import type { CircuitCounts, CircuitFigures } from './circuit/figures.js';
import type { CircuitState } from './circuit/state.js';
import { share, type WindowFigures } from './circuit/window.js';
import type { Compartment } from './http/dispatch.js';

/** The figures of one circuit, or of several together, as of now. */
export interface CircuitSnapshot extends Omit<CircuitFigures, 'failures' | 'slowness'> {
  /** The name of the breaker. */
  readonly name: string;
  /** The key of the circuit; `'*'` for several together. */
  readonly key: string;
  /** Requests that wait: for a place, or for the circuit to close. */
  readonly queued: number;
}

const byWeight: readonly CircuitState[] = [
  'forced-open',
  'open',
  'half-open',
  'disabled',
  'closed',
];

/** The state that weighs most among several. */
export function heaviest(states: readonly CircuitState[]): CircuitState {
  return byWeight.find((state) => states.includes(state)) ?? 'closed';
}

/** Counts are summed, shares are of the summed windows, and `retryAfterMs` is the least. */
export function snapshotOf(name: string, compartments: readonly Compartment[]): CircuitSnapshot {
  const all = compartments.map(({ circuit }) => circuit.figures());
  const keys = compartments.map(({ circuit }) => circuit.key);
  const state = heaviest(all.map((figures) => figures.state));
  const errors = all.map(({ lastError }) => lastError).filter((error) => error !== undefined);
  return {
    name,
    key: keys.length === 1 ? String(keys[0]) : '*',
    state,
    failureRate: share(sumOf(all.map(({ failures }) => failures))),
    slowRate: share(sumOf(all.map(({ slowness }) => slowness))),
    inFlight: total(all.map(({ inFlight }) => inFlight)),
    queued: total(
      compartments.map(({ bulkhead, line }) => (bulkhead?.queued ?? 0) + (line?.waiting ?? 0)),
    ),
    retryAfterMs: all.length === 0 ? 0 : Math.min(...all.map(({ retryAfterMs }) => retryAfterMs)),
    openReason: all.find((figures) => figures.state === state)?.openReason,
    lastError: errors[0],
    counts: countsOf(all.map(({ counts }) => counts)),
  };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function sumOf(windows: readonly WindowFigures[]): WindowFigures {
  return {
    calls: total(windows.map(({ calls }) => calls)),
    bad: total(windows.map(({ bad }) => bad)),
  };
}

function countsOf(all: readonly CircuitCounts[]): CircuitCounts {
  const sum = (name: keyof CircuitCounts) => total(all.map((counts) => counts[name]));
  return {
    admitted: sum('admitted'),
    refused: sum('refused'),
    success: sum('success'),
    failure: sum('failure'),
    ignored: sum('ignored'),
    slow: sum('slow'),
    late: sum('late'),
    opened: sum('opened'),
  };
}
