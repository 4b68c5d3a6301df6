import { randomUUID } from 'node:crypto';
import { startTimer } from '../circuit/clock.js';
import type { ProbeLease, SharedMember } from '../shared-state.js';
import type { Answer } from './answer.js';
import type { Calls } from './calls.js';
import type { Names } from './names.js';
import { within } from './within.js';

/** How long a request waits for Redis, in ms. */
const longestWait = 100;

/** The right to probe, asked for in Redis. */
export class Leases {
  readonly #member: SharedMember;
  readonly #names: Names;
  readonly #calls: Calls;
  /** The circuits that another process probes, each with what ends the waiting for that. */
  readonly #denied = new Map<string, () => void>();

  constructor(member: SharedMember, names: Names, calls: Calls) {
    this.#member = member;
    this.#names = names;
    this.#calls = calls;
  }

  async ask(key: string, ms: number): Promise<ProbeLease | 'denied' | 'unknown'> {
    const id = this.#names.id(key);
    if (this.#denied.has(id)) return 'denied';
    if (!this.#calls.isAvailable) return 'unknown';
    const token = randomUUID();
    const { maxProbes, clock } = this.#member;
    const asked = this.#calls.ask('lease', id, token, leaseFor(ms), maxProbes);
    const answer = await within(clock, longestWait, asked).catch(() => undefined);
    if (answer === undefined) this.#giveBack(asked, id, token);
    if (answer?.status !== 'ok') return 'unknown';
    if (answer.granted) return this.#lease(key, token, answer.leaseEpoch);
    this.#deny(key, id, answer.waitMs);
    return 'denied';
  }

  /** Another process has ended its probe of a circuit, or of any. */
  free(id?: string): void {
    for (const [denied, end] of this.#denied) if (id === undefined || id === denied) end();
  }

  #lease(key: string, token: string, epoch: number): ProbeLease {
    const id = this.#names.id(key);
    return {
      end: (counts) => {
        const [outcome, ms, recovery, row] = counts ? this.#outcome(key) : ['none', 0, 'probe', 0];
        const asked = this.#calls.ask('finish', id, token, epoch, outcome, ms, recovery, row);
        // It ends by itself, later.
        void asked.catch(() => undefined);
      },
    };
  }

  #outcome(key: string): readonly [string, number, string, number] {
    const own = this.#member.ownOpening(key);
    if (own) return ['failed', own.waitMs, own.recovery, own.row];
    const hasPassed = this.#member.getState(key) === 'closed';
    return [hasPassed ? 'passed' : 'none', 0, 'probe', 0];
  }

  /** One that comes too late is of no use. */
  #giveBack(asked: Promise<Answer>, id: string, token: string): void {
    asked
      .then(({ granted }) => {
        if (!granted) return undefined;
        return this.#calls.ask('finish', id, token, 0, 'none', 0, 'probe', 0);
      })
      .catch(() => undefined);
  }

  #deny(key: string, id: string, waitMs: number): void {
    const stop = startTimer(this.#member.clock, waitMs, () => end());
    const end = () => {
      stop();
      this.#denied.delete(id);
      this.#member.wake(key);
    };
    this.#denied.set(id, end);
  }
}

/**
 * Longer than the probe may take: by its own clock this process gives up first, although it heard of its
 * lease later than that began.
 */
function leaseFor(ms: number): number {
  return Math.max(ms / 0.8, ms + 2 * longestWait);
}
