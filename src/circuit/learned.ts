import { recoveryOf, type CircuitRules } from './rules.js';
import type { Closed, HalfOpen, Open, OpenReason, Recovery, State } from './state.js';
import { Tally } from './tally.js';
import { cooledDown } from './transitions.js';

/** What one process tells the others of an opening. */
export interface Opening {
  /** How much longer it lasts, in ms; 0 where a probe is due. */
  readonly waitMs: number;
  readonly recovery: Recovery;
  /** The how-manieth opening in a row it is. */
  readonly row: number;
}

/** The opening of a circuit that opened for a reason of its own, or is to wait as this process was told. */
export interface OwnOpening extends Opening {
  readonly reason: OpenReason;
}

/** The state after the news of other processes, if there is another. */
export function learned(
  rules: CircuitRules,
  from: State,
  at: number,
  news: Opening | 'closed',
): State | undefined {
  return news === 'closed'
    ? closedByOthers(rules, from, at)
    : openedByOthers(rules, from, at, news);
}

/**
 * The state after other processes have opened, if there is another. What is open already is only moved
 * out, and what a command ended stays as it is.
 */
function openedByOthers(
  rules: CircuitRules,
  from: State,
  at: number,
  { waitMs, recovery: usual, row }: Opening,
): Open | undefined {
  if (from.name === 'open') {
    from.until = Math.max(from.until, at + waitMs);
    from.row = Math.max(from.row, row);
  }
  if (from.name !== 'closed' && from.name !== 'half-open') return undefined;
  const recovery = recoveryOf(rules, 'shared', usual);
  // A probe may be due as soon as that is heard of.
  const isNews = waitMs > 0 || (from.name === 'closed' && recovery === 'probe');
  if (!isNews) return undefined;
  return {
    name: 'open',
    reason: 'shared',
    isOwn: from.name === 'half-open' && from.isOwn,
    cause: undefined,
    cooldownMs: waitMs,
    until: at + waitMs,
    statedUntil: -Infinity,
    recovery,
    row: Math.max(from.row, row),
  };
}

/**
 * The state after another process has closed by its probe, if there is another. What opened for a reason
 * of its own may only probe earlier; a time that the server stated to this process holds.
 */
function closedByOthers(
  rules: CircuitRules,
  from: State,
  at: number,
): Closed | HalfOpen | undefined {
  if (from.name !== 'open' && from.name !== 'half-open') return undefined;
  if (from.name === 'open' && at < from.statedUntil) return undefined;
  if (!from.isOwn) {
    return { name: 'closed', since: at, after: 'probe', row: from.row, tally: new Tally(rules) };
  }
  const mayProbe =
    from.name === 'open' && from.recovery === 'probe' && from.reason !== 'rate-limit';
  return mayProbe ? cooledDown(rules, from) : undefined;
}

/** What a state has to tell the others. A time that the server stated here is a rate limit, whatever opened. */
export function ownOpening(state: State, now: number): OwnOpening | undefined {
  if (state.name !== 'open') return undefined;
  const { reason, isOwn, until, statedUntil, recovery, row } = state;
  if (statedUntil > now) return { reason: 'rate-limit', waitMs: statedUntil - now, recovery, row };
  if (!isOwn) return undefined;
  return { reason, waitMs: Math.max(0, until - now), recovery, row };
}
