/** How long an opening lasts. */
export interface CooldownRules {
  readonly base: number;
  readonly factor: number;
  readonly max: number;
  /** The largest share that chance may take off. */
  readonly jitter: number;
  /** How long a circuit closed by a probe must stay closed to end a row of openings. */
  readonly stableAfter: number;
}

/** The cooldown in ms of the n-th opening in a row; `chance` is a random number in 0 … 1. */
export function cooldownOf(rules: CooldownRules, opening: number, chance: number): number {
  // Neither 0 may meet an infinite growth, nor an infinite cooldown a jitter of all: both give NaN.
  if (rules.base === 0) return 0;
  const grown = Math.min(rules.base * rules.factor ** (opening - 1), rules.max);
  return grown === Infinity ? Infinity : grown * (1 - rules.jitter * chance);
}
