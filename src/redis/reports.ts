import type { OwnOpening } from '../circuit/learned.js';
import type { SharedMember } from '../shared-state.js';
import type { Answer } from './answer.js';
import type { Calls } from './calls.js';
import type { Names } from './names.js';
import { longest } from './script.js';

/** How many circuits are told of at once: a thousand calls at once would not be answered in time. */
const mostAtOnce = 16;
/** How long a vote counts beyond the opening that it is for, in ms. */
const voteMemory = 10_000;

interface ReportRules {
  readonly quorum: number;
  /** How long a process that votes counts as live, in ms. */
  readonly memory: number;
  /** What was told may not have been heard. */
  readonly onTrouble: (error?: unknown) => void;
}

/** Tells Redis what the circuits of one breaker have opened for, each as it is when its turn comes. */
export class Reports {
  readonly #member: SharedMember;
  readonly #names: Names;
  readonly #calls: Calls;
  readonly #rules: ReportRules;
  /** The keys of the circuits that are to be told of. */
  readonly #waiting = new Set<string>();
  /** The keys of the circuits that this process has voted to open. */
  readonly #voted = new Set<string>();
  /** The keys of the circuits whose rate limit is being told. */
  readonly #resting = new Set<string>();
  #underWay = 0;

  constructor(member: SharedMember, names: Names, calls: Calls, rules: ReportRules) {
    this.#member = member;
    this.#names = names;
    this.#calls = calls;
    this.#rules = rules;
  }

  tell(key: string): void {
    if (this.#member.observes) return;
    // Redis takes nothing of who has not heard from it; and the first that is heard must be a poll's answer.
    if (!this.#calls.knowsTime) {
      this.#rules.onTrouble();
      return;
    }
    this.#waiting.add(key);
    this.#tellNext();
  }

  /** A late answer may have moved the end of a rate limit out. */
  tellLate(key: string): void {
    if (this.#member.ownOpening(key)?.reason === 'rate-limit') this.tell(key);
  }

  tellAll(): void {
    for (const key of new Set([...this.#member.keys(), ...this.#voted])) this.tell(key);
  }

  stop(): void {
    this.#waiting.clear();
  }

  #tellNext(): void {
    for (const key of this.#waiting) {
      if (this.#underWay >= mostAtOnce) return;
      if (this.#resting.has(key)) continue;
      this.#waiting.delete(key);
      const asked = this.#ask(key);
      if (asked) void this.#await(asked);
    }
  }

  async #await(asked: Promise<Answer>): Promise<void> {
    this.#underWay += 1;
    try {
      const { status } = await asked;
      if (status === 'stale') this.#rules.onTrouble();
    } catch (error) {
      this.#rules.onTrouble(error);
    }
    this.#underWay -= 1;
    this.#tellNext();
  }

  #ask(key: string): Promise<Answer> | undefined {
    const id = this.#names.id(key);
    const own = this.#member.ownOpening(key);
    if (own === undefined) return this.#withdraw(key, id);
    // What was heard from the others would go round among them for ever.
    if (own.reason === 'shared') return undefined;
    const [ms, ...told] = toldOf(own);
    if (own.reason === 'rate-limit') {
      this.#resting.add(key);
      const asked = this.#calls.ask('rest', id, ms, ...told);
      return asked.finally(() => this.#resting.delete(key));
    }
    const { quorum, memory } = this.#rules;
    this.#voted.add(key);
    return this.#calls.ask('vote', id, ms, ...told, quorum, ms + voteMemory, memory);
  }

  #withdraw(key: string, id: string): Promise<Answer> | undefined {
    const hasEnded = ['closed', 'disabled'].includes(this.#member.getState(key));
    if (!hasEnded || !this.#voted.delete(key)) return undefined;
    return this.#calls.ask('unvote', id).catch((error: unknown) => {
      this.#voted.add(key);
      throw error;
    });
  }
}

function toldOf({ waitMs, recovery, row }: OwnOpening): [number, string, number] {
  return [Math.min(waitMs, longest), recovery, row];
}
