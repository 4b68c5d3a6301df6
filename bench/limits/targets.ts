import type { LimiterName } from './limiters.js';
import type { GuardName } from './systems.js';

/** What one process is to reach. */
export interface Target {
  readonly limiter: LimiterName;
  readonly guard: GuardName;
  /** "Not so often", for 1,000 successes. */
  readonly refusedPer1000: number;
}

/** And of the quota, everywhere. */
export const leastGoodput = 0.99;

export const targets: readonly Target[] = [
  { limiter: 'fixed', guard: 'default', refusedPer1000: 20 },
  { limiter: 'bucket', guard: 'default', refusedPer1000: 46 },
  { limiter: 'github', guard: 'default', refusedPer1000: 3.5 },
  { limiter: 'silent', guard: 'default', refusedPer1000: 35 },
  { limiter: 'github', guard: 'preempt', refusedPer1000: 0 },
  { limiter: 'fixed', guard: 'hold', refusedPer1000: 20 },
  { limiter: 'bucket', guard: 'hold', refusedPer1000: 115 },
];
