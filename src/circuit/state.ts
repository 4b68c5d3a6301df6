import type { ErrorSummary } from './error-summary.js';
import type { Probes } from './probes.js';
import type { Tally } from './tally.js';

/** The state of a circuit. Requests are refused while `'open'` or `'forced-open'`. */
export type CircuitState = 'closed' | 'open' | 'half-open' | 'forced-open' | 'disabled';

/** Why a circuit opened. When two reasons hold at once, the first in this list is named. */
export type OpenReason =
  | 'first-error'
  | 'failure-rate'
  | 'consecutive'
  | 'slow-rate'
  | 'rate-limit'
  | 'probe-failed'
  | 'probe-expired'
  | 'manual'
  | 'shared';

/** Why a circuit closed. */
export type CloseReason = 'cooldown-elapsed' | 'probes-passed' | 'manual' | 'shared';

/** How an open circuit is left: closed by the clock, or by probes. */
export type Recovery = 'clock' | 'probe';

export interface Closed {
  readonly name: 'closed';
  readonly since: number;
  readonly after: Recovery;
  /** How many openings in a row led here; 0 at the start and after a command. */
  readonly row: number;
  readonly tally: Tally;
}

export interface Open {
  readonly name: 'open';
  readonly reason: OpenReason;
  /** Whether calls of this process led here; else only other processes know why. */
  readonly isOwn: boolean;
  readonly cause: ErrorSummary | undefined;
  readonly cooldownMs: number;
  /** A later answer may move it out, never in. */
  until: number;
  /** Until when the server told this process itself to wait; -Infinity where it told no time. */
  statedUntil: number;
  readonly recovery: Recovery;
  /** The how-manieth opening in a row this is; one with a stated wait does not count. Other processes may know of more. */
  row: number;
}

export interface HalfOpen {
  readonly name: 'half-open';
  /** Of the opening that led here, like `isOwn`, `cause` and `row`. */
  readonly reason: OpenReason;
  readonly isOwn: boolean;
  readonly cause: ErrorSummary | undefined;
  readonly row: number;
  readonly probes: Probes;
}

export interface ForcedOpen {
  readonly name: 'forced-open';
}

export interface Disabled {
  readonly name: 'disabled';
}

/**
 * What a circuit is in, with exactly the data of that state. The object is the era: it is replaced
 * at every change of state and at every command, and its identity tells a permit of this era from
 * a late one.
 */
export type State = Closed | Open | HalfOpen | ForcedOpen | Disabled;

const legal: Record<CircuitState, readonly CircuitState[]> = {
  closed: ['closed', 'open', 'forced-open', 'disabled'],
  open: ['closed', 'half-open', 'forced-open', 'disabled'],
  'half-open': ['closed', 'open', 'forced-open', 'disabled'],
  'forced-open': ['closed', 'forced-open', 'disabled'],
  disabled: ['closed', 'forced-open', 'disabled'],
};

export function isLegal(from: CircuitState, to: CircuitState): boolean {
  return legal[from].includes(to);
}

export function isRefusing(state: CircuitState): boolean {
  return state === 'open' || state === 'forced-open';
}
