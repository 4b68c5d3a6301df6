import { startTimer } from '../circuit/clock.js';
import type { OwnOpening } from '../circuit/learned.js';
import type { BreakerEventName, EventSink } from '../events.js';
import type { Fleet, ProbeLease, SharedMember, SharedSeat } from '../shared-state.js';
import type { Answer } from './answer.js';
import { Calls } from './calls.js';
import type { Commands } from './commands.js';
import { Leases } from './leases.js';
import { Names } from './names.js';
import { News } from './news.js';
import { longest } from './script.js';

export interface SeatRules {
  readonly prefix: string;
  readonly quorum: number;
  /** In ms. */
  readonly pollInterval: number;
  /** What this process is called in Redis. */
  readonly node: string;
}

/** How long a vote counts beyond the opening that it is for, in ms. */
const voteMemory = 10_000;

/** The place of one breaker among those that share through Redis. */
export class RedisSeat implements SharedSeat, EventSink {
  readonly fleet: Fleet = {
    open: (key) => this.#command('open', key),
    close: (key) => this.#command('close', key),
  };
  readonly #member: SharedMember;
  readonly #rules: SeatRules;
  readonly #names: Names;
  readonly #calls: Calls;
  readonly #news: News;
  readonly #leases: Leases;
  /** The keys of the circuits that this process has voted to open. */
  readonly #voted = new Set<string>();
  readonly #removeSink: () => void;
  readonly #stopListening: () => void;
  #stopTimer: () => void = () => undefined;
  #isPolling = false;
  #wantsPoll = false;
  #isInTrouble = false;
  #hasLeft = false;

  constructor(member: SharedMember, commands: Commands, rules: SeatRules) {
    this.#member = member;
    this.#rules = rules;
    this.#names = new Names(rules.prefix, member.name);
    this.#news = new News(member, this.#names, () => this.#publishAll());
    const { node } = rules;
    const onAnswer = (answer: Answer) => {
      if (!this.#hasLeft) this.#news.hear(answer);
    };
    this.#calls = new Calls(commands, this.#names, { node, clock: member.clock, onAnswer });
    this.#leases = new Leases(member, this.#names, this.#calls, this.#memory);
    this.#removeSink = member.addSink(this);
    this.#stopListening = commands.listen(this.#names.channel, (id) => this.#hint(id));
    void this.#poll();
  }

  made(key: string): void {
    this.#news.introduce(key, this.#memory);
  }

  lease(key: string, ms: number): Promise<ProbeLease | 'denied' | 'unknown'> {
    return this.#leases.ask(key, ms);
  }

  leave(): void {
    this.#hasLeft = true;
    this.#stopTimer();
    this.#removeSink();
    this.#stopListening();
    this.#leases.leave();
    this.#ask('leave', undefined);
  }

  wants(type: BreakerEventName): boolean {
    return type === 'OPEN' || type === 'CLOSE';
  }

  tell(type: BreakerEventName, { key }: { readonly key: string }): void {
    if (type === 'OPEN') this.#publish(key);
    else this.#withdraw(key);
  }

  /** How old what is known may be: three polls. */
  get #memory(): number {
    return 3 * this.#rules.pollInterval;
  }

  #publishAll(): void {
    for (const key of this.#member.keys()) this.#publish(key);
    for (const key of [...this.#voted]) {
      if (this.#member.getState(key) === 'closed') this.#withdraw(key);
    }
  }

  #publish(key: string): void {
    const own = this.#member.observes ? undefined : this.#member.ownOpening(key);
    if (own === undefined) return;
    const id = this.#names.id(key);
    if (own.reason === 'rate-limit') this.#ask('rest', id, ...toldOf(own));
    else this.#vote(key, own);
  }

  #vote(key: string, own: OwnOpening): void {
    const told = toldOf(own);
    const [ms] = told;
    const id = this.#names.id(key);
    this.#voted.add(key);
    this.#ask('vote', id, ...told, this.#rules.quorum, ms + voteMemory, this.#memory);
  }

  #withdraw(key: string): void {
    if (!this.#voted.delete(key)) return;
    this.#calls.ask('unvote', this.#names.id(key)).catch((error: unknown) => {
      this.#voted.add(key);
      this.#trouble(error);
    });
  }

  #ask(operation: string, id: string | undefined, ...args: unknown[]): void {
    this.#calls.ask(operation, id, ...args).then(
      ({ status }) => {
        if (status === 'stale') this.#isInTrouble = true;
      },
      (error: unknown) => this.#trouble(error),
    );
  }

  async #command(command: 'open' | 'close', key: string | undefined): Promise<void> {
    const id = key === undefined ? '*' : this.#names.id(key);
    // What is rejected must not be done later, when Redis is back.
    if (!this.#calls.knowsTime) await this.#askPoll();
    const { status } = await this.#calls.ask('fleet', id, command);
    if (status !== 'ok') throw new Error(`Redis did not take fleet.${command}(): ${status}`);
  }

  /** Something was changed; what, the poll says. */
  #hint(id: string): void {
    this.#leases.free(id);
    void this.#poll();
  }

  async #poll(): Promise<void> {
    this.#stopTimer();
    this.#wantsPoll = true;
    if (this.#isPolling) return;
    this.#isPolling = true;
    while (this.#wantsPoll && !this.#hasLeft) {
      this.#wantsPoll = false;
      await this.#pollOnce();
    }
    this.#isPolling = false;
    if (!this.#hasLeft) this.#startTimer();
  }

  async #pollOnce(): Promise<void> {
    try {
      const answer = await this.#askPoll();
      if (this.#hasLeft) return;
      this.#news.keep(answer);
      this.#leases.free();
      if (this.#isInTrouble) this.#publishAll();
      this.#isInTrouble = false;
    } catch (error) {
      this.#trouble(error);
    }
  }

  /** Who only observes is not counted: it has no vote. */
  #askPoll(): Promise<Answer> {
    return this.#calls.ask('poll', undefined, this.#member.observes ? 0 : this.#memory);
  }

  #startTimer(): void {
    // Processes that start together should not ask together for ever.
    const ms = this.#rules.pollInterval * (0.9 + 0.2 * Math.random());
    this.#stopTimer = startTimer(this.#member.clock, ms, () => void this.#poll());
  }

  /** Told once; and what Redis did not take is told to it again when that is over. */
  #trouble(error: unknown): void {
    // Who leaves may close the client at once.
    if (this.#hasLeft) return;
    this.#isInTrouble = true;
    this.#member.reportFault('shared', error);
  }
}

function toldOf({ waitMs, recovery, row }: OwnOpening): [number, string, number] {
  return [Math.min(waitMs, longest), recovery, row];
}
