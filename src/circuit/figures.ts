import type { ErrorSummary } from './error-summary.js';
import type { CircuitState, OpenReason } from './state.js';
import type { WindowFigures } from './window.js';

/** How often each thing happened, since the circuit exists. At rest, `success + failure + ignored = admitted`. */
export interface CircuitCounts {
  readonly admitted: number;
  readonly refused: number;
  readonly success: number;
  readonly failure: number;
  readonly ignored: number;
  /** Ended after `slowCallDuration` or later. */
  readonly slow: number;
  /** Ended in another era than they began in. */
  readonly late: number;
  /** How often it opened. */
  readonly opened: number;
}

/** The figures of one circuit, as of now. */
export interface CircuitFigures {
  readonly state: CircuitState;
  /** The share of failed calls in the current window, 0–1; 0 when it is empty. */
  readonly failureRate: number;
  /** The share of slow calls in the current window, 0–1; 0 when it is empty. */
  readonly slowRate: number;
  /** What the current window holds: failed calls, and slow ones. */
  readonly failures: WindowFigures;
  readonly slowness: WindowFigures;
  /** Exchanges under way. */
  readonly inFlight: number;
  /** Milliseconds until the next request may be sent; 0 unless open, `Infinity` where only a command ends it. */
  readonly retryAfterMs: number;
  /** Why it opened; `undefined` while closed or disabled. */
  readonly openReason: OpenReason | undefined;
  /** The last failure that was an error. */
  readonly lastError: ErrorSummary | undefined;
  readonly counts: CircuitCounts;
}

/** Why a request is not sent. */
export interface Refusal {
  readonly refused: true;
  readonly state: CircuitState;
  /** Of the opening. */
  readonly reason: OpenReason;
  readonly retryAfterMs: number;
  /** The error that opened the circuit. */
  readonly cause: ErrorSummary | undefined;
}
