import { limiters, type LimiterName } from './limiters.js';
import { demand, roundTrip } from './offer.js';
import type { GuardName } from './systems.js';

/**
 * The fewest "not so often" for 1,000 successes that one process can do with, by arithmetic: one tells it
 * that the quota is used up, and what it sent before that came is refused as well.
 */
export function fewestRefused(limiter: LimiterName, guard: GuardName): number | undefined {
  if (limiter === 'strict') return undefined;
  if (limiter === 'github' && guard.startsWith('preempt')) return 0;
  const { quota, period, periods } = limiters[limiter];
  // A wait of 1 s, and the way there and back, fill it for three times as long.
  if (limiter === 'bucket') return 1_000 / (quota * 3 * (1 + roundTrip / 1_000));
  const interval = period / (quota * demand);
  const underWay = Math.floor(roundTrip / interval);
  const tries = limiter === 'silent' ? silentTries(period, periods) : 1;
  return ((tries + underWay) / quota) * 1_000;
}

/** Nobody says when the window ends: 1 s, 2 s, 4 s … less 5 %, until it has; its quota then lasts longer. */
function silentTries(period: number, periods: number): number {
  const slack = period * (1 - 1 / demand);
  let tries = 0;
  let late = 0;
  for (let window = 0; window < periods; window += 1) {
    let at = late - slack;
    for (let cooldown = 950; at < 0; cooldown *= 2) {
      tries += 1;
      at += cooldown;
    }
    late = at;
  }
  return tries / periods;
}
