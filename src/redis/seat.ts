import { startTimer } from '../circuit/clock.js';
import type { BreakerEventName, EventSink } from '../events.js';
import type { Fleet, ProbeLease, SharedMember, SharedSeat } from '../shared-state.js';
import type { Answer } from './answer.js';
import { Calls } from './calls.js';
import type { Commands } from './commands.js';
import { Leases } from './leases.js';
import { Names } from './names.js';
import { News } from './news.js';
import { Reports } from './reports.js';

export interface SeatRules {
  readonly prefix: string;
  readonly quorum: number;
  /** In ms. */
  readonly pollInterval: number;
  /** What this process is called in Redis. */
  readonly node: string;
}

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
  readonly #reports: Reports;
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
    this.#news = new News(member, this.#names, () => this.#reports.tellAll());
    const { node, quorum } = rules;
    const onAnswer = (answer: Answer) => {
      if (!this.#hasLeft) this.#news.hear(answer);
    };
    this.#calls = new Calls(commands, this.#names, { node, clock: member.clock, onAnswer });
    this.#leases = new Leases(member, this.#names, this.#calls, this.#memory);
    this.#reports = new Reports(member, this.#names, this.#calls, {
      quorum,
      memory: this.#memory,
      onTrouble: (error) => this.#trouble(error),
    });
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
    this.#reports.stop();
    this.#calls.ask('leave', undefined).catch(() => undefined);
  }

  wants(type: BreakerEventName): boolean {
    return ['OPEN', 'HALF_OPEN', 'CLOSE', 'FAILURE'].includes(type);
  }

  tell(type: BreakerEventName, event: { readonly key: string; readonly late?: boolean }): void {
    if (type === 'FAILURE') {
      if (event.late === true) this.#reports.tellLate(event.key);
      return;
    }
    this.#leases.renew(event.key);
    if (type !== 'HALF_OPEN') this.#reports.tell(event.key);
  }

  /** How old what is known may be: three polls. */
  get #memory(): number {
    return 3 * this.#rules.pollInterval;
  }

  async #command(command: 'open' | 'close', key: string | undefined): Promise<void> {
    const id = key === undefined ? '*' : this.#names.id(key);
    // What is rejected must not be done later, when Redis is back.
    if (!this.#calls.knowsTime) await this.#askPoll();
    const { status } = await this.#calls.ask('fleet', id, command);
    if (status !== 'ok') throw new Error(`Redis did not take fleet.${command}(): ${status}`);
    // A circuit that is made before the next poll would not hear of it.
    const isMissing = key !== undefined && !this.#member.keys().includes(key);
    if (isMissing) this.#member.command(command, key);
  }

  /** Something was changed, or may have been; what, the poll says. */
  #hint(id: string | undefined): void {
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
      // One that is stale tells nothing.
      if (this.#hasLeft || answer.status !== 'ok') return;
      this.#news.keep(answer);
      this.#leases.free();
      const wasInTrouble = this.#isInTrouble;
      this.#isInTrouble = false;
      if (wasInTrouble) this.#reports.tellAll();
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
  #trouble(error?: unknown): void {
    // Who leaves may close the client at once.
    if (this.#hasLeft) return;
    this.#isInTrouble = true;
    if (error !== undefined) this.#member.reportFault('shared', error);
  }
}
