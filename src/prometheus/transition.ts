import type { CircuitState, CloseReason, OpenReason } from '../circuit/state.js';

/** A change of a circuit's state, as the transition counter labels it. */
export interface Transition {
  readonly from: CircuitState;
  readonly to: CircuitState;
  readonly reason: OpenReason | CloseReason;
}

/** Where a circuit was, for each reason that is met in one state only. */
const origins: Partial<Record<Transition['reason'], CircuitState>> = {
  'first-error': 'closed',
  'failure-rate': 'closed',
  consecutive: 'closed',
  'slow-rate': 'closed',
  'probe-failed': 'half-open',
  'probe-expired': 'half-open',
  'probes-passed': 'half-open',
  'cooldown-elapsed': 'open',
};

/** `seen`: the state that the circuit was seen in last, for the reasons that do not tell. */
export function transition(
  to: CircuitState,
  reason: Transition['reason'],
  seen: CircuitState,
): Transition {
  return { from: origins[reason] ?? seen, to, reason };
}
