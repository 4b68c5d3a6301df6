import type { EventOutlet } from './events.js';
import type { Evidence, Permit, Verdict } from './permit.js';
import { reasonOf } from './readings.js';
import { isRefusing, type CloseReason, type State } from './state.js';

const verdictEvent = { success: 'SUCCESS', failure: 'FAILURE', ignored: 'IGNORE' } as const;

/** What an event tells of a transition beyond the state it leads to. */
export interface Why {
  readonly closeReason?: CloseReason;
  readonly error?: unknown;
  /** Where the server says how long it wants to rest. */
  readonly statedBy?: string | undefined;
}

/** A change of a circuit's state. */
export interface Change extends Why {
  readonly key: string;
  readonly to: State;
  readonly observe: boolean;
  /** Since the circuit was last closed; `undefined` where it was not open. */
  readonly openForMs: number | undefined;
}

export function announceChange(events: EventOutlet, change: Change): void {
  const { key, to, observe, openForMs, closeReason = 'manual', error, statedBy } = change;
  if (isRefusing(to.name)) {
    const cooldownMs = to.name === 'open' ? to.cooldownMs : Infinity;
    const reason = reasonOf(to) ?? 'manual';
    const type = observe ? 'WOULD_OPEN' : 'OPEN';
    events.push(type, { key, reason, error, cooldownMs, from: statedBy });
  } else if (to.name === 'half-open') {
    events.push('HALF_OPEN', { key });
  } else if (openForMs !== undefined) {
    events.push('CLOSE', { key, reason: closeReason, openForMs });
  }
}

export function announceEnd(
  events: EventOutlet,
  key: string,
  permit: Permit,
  verdict: Verdict,
  { error, response }: Evidence,
): void {
  const type = verdictEvent[verdict];
  if (!events.wants(type)) return;
  const { durationMs, slow, probe, late } = permit;
  events.push(type, { key, durationMs, slow, probe, late, error, response });
}
