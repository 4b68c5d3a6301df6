import type { Opening } from '../circuit/learned.js';
import type { SharedMember } from '../shared-state.js';
import type { Answer, CircuitNews, FleetNews } from './answer.js';
import type { Names } from './names.js';

/** Brings what Redis tells to the circuits of one breaker, each piece once. */
export class News {
  readonly #member: SharedMember;
  readonly #names: Names;
  /** Told that Redis has lost what this process had told it. */
  readonly #onLoss: () => void;
  #incarnation: string | undefined;
  #epoch = 0;
  /** Up to which epoch a circuit, or the fleet's command for it, was followed. */
  readonly #followed = new Map<string, number>();
  /** All there was at the last poll. */
  #whole: { readonly answer: Answer; readonly at: number } | undefined;

  constructor(member: SharedMember, names: Names, onLoss: () => void) {
    this.#member = member;
    this.#names = names;
    this.#onLoss = onLoss;
  }

  hear(answer: Answer): void {
    const isFirst = this.#incarnation === undefined;
    // A replica that took over may have missed the last changes.
    const isLost = answer.incarnation !== this.#incarnation || answer.epoch < this.#epoch;
    if (isLost) this.#followed.clear();
    this.#incarnation = answer.incarnation;
    this.#epoch = answer.epoch;
    if (isFirst) this.#passOver(answer.fleet);
    this.#follow(answer);
    if (isLost && !isFirst) this.#onLoss();
  }

  /** The answer to a poll tells all. */
  keep(answer: Answer): void {
    this.#whole = { answer, at: this.#member.clock.now() };
    const ids = new Set(all(answer).map(idOf));
    for (const [id, epoch] of this.#followed) {
      // What is newer has been heard of while the poll was under way.
      if (epoch <= answer.epoch && !ids.has(id)) this.#followed.delete(id);
    }
  }

  /** Brings a new circuit what is known of it, unless that is older than `maxAge` ms. */
  introduce(key: string, maxAge: number): void {
    const id = this.#names.id(key);
    // What an earlier circuit of this key was told this one was not.
    const told = [id, fleetId(id)].map((each) => [each, this.#followed.get(each) ?? 0] as const);
    const upTo = new Map(told);
    for (const each of upTo.keys()) this.#followed.delete(each);
    const { answer, at } = this.#whole ?? {};
    if (answer === undefined || at === undefined) return;
    const age = this.#member.clock.now() - at;
    if (age > maxAge) return;
    for (const news of all(answer)) {
      // There is something newer, which the next poll tells.
      if (news.id !== id || news.epoch < (upTo.get(idOf(news)) ?? 0)) continue;
      this.#bring(news, key, age);
    }
  }

  #follow(answer: Answer): void {
    const news = all(answer);
    if (news.length === 0) return;
    const keys = new Map(this.#member.keys().map((key) => [this.#names.id(key), key]));
    for (const each of news) {
      const key = keys.get(each.id);
      if (key !== undefined || each.id === '*') this.#bring(each, key);
    }
  }

  #bring(news: CircuitNews | FleetNews, key: string | undefined, age = 0): void {
    if (!this.#isNew(idOf(news), news.epoch)) return;
    if ('command' in news) this.#member.command(news.command, key);
    else if (key !== undefined) this.#member.learn(key, learnt(news, age));
  }

  /**
   * Who has just come has heard nothing of what is to be closed, unless that is closed in spite of a
   * command to open all.
   */
  #passOver(commands: readonly FleetNews[]): void {
    if (commands.some(({ id, command }) => id === '*' && command === 'open')) return;
    for (const news of commands) if (news.command === 'close') this.#isNew(idOf(news), news.epoch);
  }

  #isNew(id: string, epoch: number): boolean {
    if (epoch <= (this.#followed.get(id) ?? 0)) return false;
    this.#followed.set(id, epoch);
    return true;
  }
}

/** In the order in which it came to be. */
function all({ circuits, fleet }: Answer): (CircuitNews | FleetNews)[] {
  return [...circuits, ...fleet].sort((one, other) => one.epoch - other.epoch);
}

function learnt({ state, waitMs, recovery, row }: CircuitNews, age: number): Opening | 'closed' {
  return state === 'closed' ? state : { waitMs: Math.max(0, waitMs - age), recovery, row };
}

function idOf(news: CircuitNews | FleetNews): string {
  return 'command' in news ? fleetId(news.id) : news.id;
}

function fleetId(id: string): string {
  return `fleet ${id}`;
}
