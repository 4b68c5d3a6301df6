import type { Circuits } from './circuits.js';
import type { EventQueue } from './events.js';
import type { Faults } from './faults.js';
import type { ResolvedOptions } from './resolve-options.js';
import type { SharedMember } from './shared-state.js';

interface Parts {
  readonly circuits: Circuits;
  readonly events: EventQueue;
  readonly faults: Faults;
}

/** A breaker as what it shares sees it. */
export function memberOf(
  { name, clock, rules, rateLimit }: ResolvedOptions,
  { circuits, events, faults }: Parts,
): SharedMember {
  // Nobody else may stop this process for longer than a server may.
  const maxWait = rateLimit?.maxWait ?? rules.cooldown.max;
  return {
    name,
    clock,
    observes: rules.observe,
    maxProbes: rules.probing.concurrent,
    maxWait,
    keys: () => circuits.keys(),
    getState: (key) => circuits.peek(key).circuit.figures().state,
    ownOpening: (key) => circuits.peek(key).circuit.ownOpening(),
    learn: (key, news) =>
      circuits.learn(
        key,
        news === 'closed' ? news : { ...news, waitMs: Math.min(news.waitMs, maxWait) },
      ),
    wake: (key) => circuits.wake(key),
    command: (command, key) => circuits.command(command, key),
    addSink: (sink) => events.addSink(sink),
    reportFault: (source, error) => faults.report(source, error),
  };
}
