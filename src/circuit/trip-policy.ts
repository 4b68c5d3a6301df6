import type { OpenReason } from './state.js';
import type { WindowFigures } from './window.js';

/** When a closed circuit opens. A rule that is `undefined` is not in use. */
export interface TripRules {
  readonly firstError: boolean;
  readonly failureThreshold: number | undefined;
  readonly consecutiveFailures: number | undefined;
  readonly slowCallThreshold: number | undefined;
  readonly minimumCalls: number;
}

/** What a closed era has seen, as of the call just recorded. */
export interface Seen {
  /** Whether the call just recorded failed, and `errorHandler` accepts that. */
  readonly hasError: boolean;
  readonly badInARow: number;
  readonly failures: WindowFigures;
  readonly slowness: WindowFigures;
}

/** The reason to open now, if there is one. */
export function tripReason(rules: TripRules, seen: Seen): OpenReason | undefined {
  if (rules.firstError && seen.hasError) return 'first-error';
  if (reaches(seen.failures, rules.failureThreshold, rules.minimumCalls)) return 'failure-rate';
  if (seen.badInARow >= (rules.consecutiveFailures ?? Infinity)) return 'consecutive';
  if (reaches(seen.slowness, rules.slowCallThreshold, rules.minimumCalls)) return 'slow-rate';
  return undefined;
}

// The quotient of two integers and a threshold written in decimals round to the same double when
// they are equal; a product such as 0.07 × 100 does not.
function reaches({ calls, bad }: WindowFigures, threshold: number | undefined, minimum: number) {
  return threshold !== undefined && calls >= minimum && bad / calls >= threshold;
}
