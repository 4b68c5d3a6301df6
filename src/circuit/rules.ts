import type { CooldownRules } from './cooldown.js';
import type { ProbeRules } from './probes.js';
import type { OpenReason, Recovery } from './state.js';
import type { TallyRules } from './tally.js';

/** Everything that decides how a circuit behaves. */
export interface CircuitRules extends TallyRules {
  readonly cooldown: CooldownRules;
  readonly probing: ProbeRules;
  /** How an open circuit is left, where it was set for all openings; else each by its reason. */
  readonly recovery: Recovery | undefined;
  /** Run the whole machine, but admit all. */
  readonly observe: boolean;
  readonly random: () => number;
}

/** `usual`: how an opening that knows better is left. */
export function recoveryOf(rules: CircuitRules, reason: OpenReason, usual?: Recovery): Recovery {
  return rules.recovery ?? usual ?? (reason === 'first-error' ? 'clock' : 'probe');
}

/** How long a probe may take, in ms; `deadline`: its request, by its own account. */
export function leaseOf({ probing, cooldown }: CircuitRules, deadline = 30_000): number {
  return probing.lease ?? Math.max(cooldown.base, deadline);
}
