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

/** Queues what is to be told of a circuit. */
export class Announcer {
  readonly #key: string;
  readonly #events: EventOutlet;
  readonly #observe: boolean;

  constructor(key: string, events: EventOutlet, observe: boolean) {
    this.#key = key;
    this.#events = events;
    this.#observe = observe;
  }

  /** `openForMs`: since the circuit was last closed; `undefined` where it was not open. */
  change(to: State, openForMs: number | undefined, why: Why): void {
    const key = this.#key;
    const { closeReason = 'manual', error, statedBy } = why;
    if (isRefusing(to.name)) {
      const cooldownMs = to.name === 'open' ? to.cooldownMs : Infinity;
      const reason = reasonOf(to) ?? 'manual';
      const type = this.#observe ? 'WOULD_OPEN' : 'OPEN';
      this.#events.push(type, { key, reason, error, cooldownMs, from: statedBy });
    } else if (to.name === 'half-open') {
      this.#events.push('HALF_OPEN', { key });
    } else if (openForMs !== undefined) {
      this.#events.push('CLOSE', { key, reason: closeReason, openForMs });
    }
  }

  end({ durationMs, slow, probe, late }: Permit, verdict: Verdict, evidence: Evidence): void {
    const type = verdictEvent[verdict];
    if (!this.#events.wants(type)) return;
    const { error, response } = evidence;
    this.#events.push(type, { key: this.#key, durationMs, slow, probe, late, error, response });
  }

  flush(): void {
    this.#events.flush();
  }
}
