import { cooldownOf } from './cooldown.js';
import type { ErrorSummary } from './error-summary.js';
import type { Permit, RateLimit } from './permit.js';
import { Probes } from './probes.js';
import { recoveryOf, type CircuitRules } from './rules.js';
import type { Closed, HalfOpen, Open, OpenReason, State } from './state.js';
import { Tally } from './tally.js';

export interface Transition {
  readonly to: Closed | HalfOpen | Open;
  readonly at: number;
  /** The probe whose lease ended, where that is why. */
  readonly expired?: Permit;
}

/** What a circuit can be told to do. */
export type Command = 'open' | 'close' | 'disable';

/** The state that a command leads to, without a past. */
export function commanded(command: Command, rules: CircuitRules, at: number): State {
  if (command === 'open') return { name: 'forced-open' };
  if (command === 'disable') return { name: 'disabled' };
  return { name: 'closed', since: at, after: 'clock', row: 0, tally: new Tally(rules) };
}

/** Why a circuit opens. */
export interface Grounds {
  readonly reason: OpenReason;
  readonly cause?: ErrorSummary | undefined;
  readonly rateLimit?: RateLimit | undefined;
}

/** The state after leaving a closed or half-open one; `chance` is the random share of the jitter. */
export function opened(
  rules: CircuitRules,
  from: Closed | HalfOpen,
  at: number,
  chance: number,
  { reason, cause, rateLimit }: Grounds,
): Open {
  const waitMs = rateLimit?.waitMs;
  const rowBefore = hasRowEnded(rules, from, at) ? 0 : from.row;
  const row = waitMs === undefined ? rowBefore + 1 : rowBefore;
  const cooldownMs = waitMs ?? cooldownOf(rules.cooldown, row, chance);
  const recovery = recoveryOf(rules, reason, rateLimit?.recovery);
  return {
    name: 'open',
    reason,
    isOwn: true,
    cause,
    cooldownMs,
    until: at + cooldownMs,
    statedUntil: at + (waitMs ?? -Infinity),
    recovery,
    row,
  };
}

export function passed(rules: CircuitRules, from: HalfOpen, at: number): Closed {
  return { name: 'closed', since: at, after: 'probe', row: from.row, tally: new Tally(rules) };
}

/** The transition that time alone has made due by `now`, if there is one. */
export function due(
  rules: CircuitRules,
  state: State,
  now: number,
  chance: number,
): Transition | undefined {
  if (state.name === 'open' && now >= state.until) {
    return { to: cooledDown(rules, state), at: state.until };
  }
  if (state.name !== 'half-open') return undefined;
  const expired = state.probes.firstToExpire;
  if (expired === undefined || now < expired.leaseEnd) return undefined;
  const at = expired.leaseEnd;
  return { to: opened(rules, state, at, chance, { reason: 'probe-expired' }), at, expired };
}

/** The state as of `now`, committing nothing. */
export function stateAt(rules: CircuitRules, state: State, now: number, chance: number): State {
  const next = due(rules, state, now, chance);
  return next === undefined ? state : stateAt(rules, next.to, now, chance);
}

/** The state that an opening leads to when it is over. */
export function cooledDown(rules: CircuitRules, from: Open): Closed | HalfOpen {
  const { reason, isOwn, cause, row, until, recovery } = from;
  if (recovery === 'probe') {
    return { name: 'half-open', reason, isOwn, cause, row, probes: new Probes(rules.probing) };
  }
  return { name: 'closed', since: until, after: recovery, row, tally: new Tally(rules) };
}

// One lucky answer must not end the row of a half-broken server; where the clock closed, no answer
// has been seen at all.
function hasRowEnded(rules: CircuitRules, from: Closed | HalfOpen, at: number): boolean {
  if (from.name === 'half-open') return false;
  if (from.after === 'clock') return from.tally.hasSucceeded;
  return at - from.since >= rules.cooldown.stableAfter;
}
