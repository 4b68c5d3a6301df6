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
    if (isFirst) this.#passOver(answer.fleet.filter(({ command }) => command === 'close'));
    this.#follow(answer);
    if (isLost && !isFirst) this.#onLoss();
  }

  /** The answer to a poll tells all. */
  keep(answer: Answer): void {
    this.#whole = { answer, at: this.#member.clock.now() };
    const ids = new Set([...answer.circuits.map(({ id }) => id), ...answer.fleet.map(fleetId)]);
    for (const id of this.#followed.keys()) if (!ids.has(id)) this.#followed.delete(id);
  }

  /** Brings a new circuit what is known of it, unless that is older than `maxAge` ms. */
  introduce(key: string, maxAge: number): void {
    if (this.#whole === undefined) return;
    const { answer, at } = this.#whole;
    const age = this.#member.clock.now() - at;
    if (age > maxAge) return;
    const id = this.#names.id(key);
    const circuit = answer.circuits.find((news) => news.id === id);
    if (circuit) this.#tell(key, { ...circuit, waitMs: Math.max(0, circuit.waitMs - age) });
    const command = answer.fleet.find((news) => news.id === id)?.command;
    if (command === 'open') this.#member.command('open', key);
  }

  #follow({ circuits, fleet }: Answer): void {
    if (circuits.length + fleet.length === 0) return;
    const keys = new Map(this.#member.keys().map((key) => [this.#names.id(key), key]));
    for (const news of circuits) {
      const key = keys.get(news.id);
      if (key !== undefined && this.#isNew(news.id, news.epoch)) this.#tell(key, news);
    }
    for (const news of [...fleet].sort((one, other) => one.epoch - other.epoch)) {
      const key = keys.get(news.id);
      if (key === undefined && news.id !== '*') continue;
      if (this.#isNew(fleetId(news), news.epoch)) this.#member.command(news.command, key);
    }
  }

  #tell(key: string, { state, waitMs, recovery, row }: CircuitNews): void {
    this.#member.learn(key, state === 'closed' ? 'closed' : { waitMs, recovery, row });
  }

  /** Who has just come has heard nothing of what is to be closed. */
  #passOver(commands: readonly FleetNews[]): void {
    for (const news of commands) this.#isNew(fleetId(news), news.epoch);
  }

  #isNew(id: string, epoch: number): boolean {
    if (epoch <= (this.#followed.get(id) ?? 0)) return false;
    this.#followed.set(id, epoch);
    return true;
  }
}

function fleetId({ id }: FleetNews): string {
  return `fleet ${id}`;
}
