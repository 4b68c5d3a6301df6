import { randomUUID } from 'node:crypto';
import { startTimer } from '../circuit/clock.js';
import type { ProbeLease, SharedMember } from '../shared-state.js';
import type { Calls } from './calls.js';
import type { Names } from './names.js';
import { longest } from './script.js';
import { within } from './within.js';

/** How long a request waits for Redis, in ms. */
const longestWait = 100;

/** What came of a probe, and what is to be told of the opening after one that failed. */
type Outcome = readonly ['passed' | 'failed' | 'none', number, string, number];

const nothing: Outcome = ['none', 0, 'probe', 0];

/** The right to probe, asked for in Redis. */
export class Leases {
  readonly #member: SharedMember;
  readonly #names: Names;
  readonly #calls: Calls;
  /** How long a denial is believed, in ms, where nothing more is heard. */
  readonly #memory: number;
  /** The circuits that another process probes, by their ids, with their timers. */
  readonly #denied = new Map<string, { readonly key: string; readonly stop: () => void }>();
  /** Since when the right to probe was denied and never granted, by the ids of the circuits. */
  readonly #deniedSince = new Map<string, number>();
  #hasLeft = false;

  constructor(member: SharedMember, names: Names, calls: Calls, memory: number) {
    this.#member = member;
    this.#names = names;
    this.#calls = calls;
    this.#memory = memory;
  }

  async ask(key: string, ms: number): Promise<ProbeLease | 'denied' | 'unknown'> {
    const id = this.#names.id(key);
    const { maxProbes, maxWait, clock } = this.#member;
    // What Redis holds can be written by others, and never end.
    const deniedFor = clock.now() - (this.#deniedSince.get(id) ?? Infinity);
    if (deniedFor >= maxWait + leaseFor(ms)) return 'unknown';
    if (this.#denied.has(id)) return 'denied';
    if (!this.#calls.isAvailable) return 'unknown';
    const token = randomUUID();
    const asked = this.#calls.ask('lease', id, token, leaseFor(ms), maxProbes);
    const answer = await within(clock, longestWait, asked).catch(() => undefined);
    // Behind what was asked: whatever becomes of that, nobody has to wait for the end of this lease.
    if (answer === undefined) this.#finish(id, token);
    if (answer?.status !== 'ok') return 'unknown';
    if (answer.granted) {
      this.renew(key);
      return this.#lease(key, token, answer.leaseEpoch);
    }
    this.#deny(key, id, answer.waitMs);
    return 'denied';
  }

  /** Another process has ended its probe of a circuit, or of any. */
  free(id?: string): void {
    for (const denied of [...this.#denied.keys()]) {
      if (id === undefined || id === denied) this.#end(denied);
    }
  }

  /** The circuit has changed: a denial from now on is a new one. */
  renew(key: string): void {
    this.#deniedSince.delete(this.#names.id(key));
  }

  leave(): void {
    this.#hasLeft = true;
    this.free();
  }

  #lease(key: string, token: string, epoch: number): ProbeLease {
    const id = this.#names.id(key);
    return {
      end: (counts) => {
        this.#finish(id, token, epoch, counts ? this.#outcome(key) : undefined);
      },
    };
  }

  #finish(id: string, token: string, epoch = 0, outcome: Outcome = nothing): void {
    // It ends by itself, later.
    this.#calls.ask('finish', id, token, epoch, ...outcome).catch(() => undefined);
  }

  #outcome(key: string): Outcome {
    const own = this.#member.ownOpening(key);
    if (own) return ['failed', Math.min(own.waitMs, longest), own.recovery, own.row];
    const hasPassed = this.#member.getState(key) === 'closed';
    return hasPassed ? ['passed', 0, 'probe', 0] : nothing;
  }

  #deny(key: string, id: string, waitMs: number): void {
    if (this.#hasLeft) return;
    this.#denied.get(id)?.stop();
    const { clock } = this.#member;
    if (!this.#deniedSince.has(id)) this.#deniedSince.set(id, clock.now());
    const ms = Math.min(waitMs, this.#memory);
    const stop = startTimer(clock, ms, () => this.#end(id));
    this.#denied.set(id, { key, stop });
  }

  #end(id: string): void {
    const { key, stop } = this.#denied.get(id) ?? {};
    stop?.();
    this.#denied.delete(id);
    if (key !== undefined) this.#member.wake(key);
  }
}

/**
 * Longer than the probe may take: by its own clock this process gives up first, although it heard of its
 * lease later than that began.
 */
function leaseFor(ms: number): number {
  return Math.min(Math.max(ms / 0.8, ms + 2 * longestWait), longest);
}
