import { announceChange, announceEnd, type Why } from './announce.js';
import type { Clock } from './clock.js';
import { summarize } from './error-summary.js';
import type { EventOutlet } from './events.js';
import type { CircuitFigures, Refusal } from './figures.js';
import { learned, ownOpening, type Opening, type OwnOpening } from './learned.js';
import { Permit, type Evidence, type PermitIssuer, type Verdict } from './permit.js';
import type { ProbeTurn } from './probes.js';
import { figuresOf, refusalOf } from './readings.js';
import { leaseOf, type CircuitRules } from './rules.js';
import { isLegal, isRefusing } from './state.js';
import type { Closed, HalfOpen, OpenReason, State } from './state.js';
import { Totals } from './totals.js';
import { commanded, due, opened, passed, stateAt } from './transitions.js';
import type { Command, Transition } from './transitions.js';

/** One state machine: hands out permits, learns from their verdicts, knows nothing of HTTP. */
export class Circuit implements PermitIssuer {
  readonly key: string;
  readonly #rules: CircuitRules;
  readonly #clock: Clock;
  readonly #events: EventOutlet;
  readonly #totals = new Totals();
  #now: number;
  #state: State;
  /** Drawn before it is needed, so that reading the state as of now draws nothing. */
  #chance: number;
  #openSince: number | undefined;

  /** `standing`: the last command that was given to all circuits, future ones too. */
  constructor(
    key: string,
    rules: CircuitRules,
    clock: Clock,
    events: EventOutlet,
    standing: Command = 'close',
  ) {
    this.key = key;
    this.#rules = rules;
    this.#clock = clock;
    this.#events = events;
    this.#now = clock.now();
    this.#state = commanded(standing, rules, this.#now);
    this.#chance = rules.random();
  }

  /** When an open circuit is due to change by itself. */
  get dueAt(): number | undefined {
    return this.#state.name === 'open' ? this.#state.until : undefined;
  }

  /** Why no request can be sent now, if none can; counts as asked and refused. */
  refuse(): Refusal | undefined {
    const now = this.#update();
    const state = this.#state;
    const isFull = state.name === 'half-open' && !state.probes.hasFreeSlot;
    const refuses = !this.#rules.observe && (isFull || isRefusing(state.name));
    if (refuses) this.#totals.countRefused();
    this.#events.flush();
    return refuses ? refusalOf(state, now) : undefined;
  }

  /** Counts what no state of the circuit refused; -1 takes back one that waits instead of being refused. */
  countRefused(requests: 1 | -1): void {
    this.#totals.countRefused(requests);
  }

  /** The turn to probe, if one is due: its slot is kept until `acquire` is given it, and the deadline. */
  takeTurn(deadline?: number): ProbeTurn | undefined {
    this.#update();
    const state = this.#state;
    const isDue = state.name === 'half-open' && state.probes.hasFreeSlot;
    const turn = isDue ? state.probes.keep(leaseOf(this.#rules, deadline)) : undefined;
    this.#events.flush();
    return turn;
  }

  /**
   * The right to send one request now, or why not. `mayProbe`: whether one may probe for which no turn
   * was due a moment ago.
   */
  acquire(deadline?: number, turn?: ProbeTurn, mayProbe = true): Permit | Refusal {
    turn?.probes.free();
    const now = this.#update();
    const answer = this.#admit(now, deadline, turn?.isGranted ?? mayProbe);
    if (answer.refused) this.#totals.countRefused();
    else this.#totals.countAdmitted();
    this.#events.flush();
    return answer;
  }

  settle(permit: Permit, verdict: Verdict, evidence: Evidence): void {
    // Out of those in flight first: its own slowness is judged together with its verdict.
    if (permit.era === this.#state && this.#state.name === 'closed') this.#state.tally.end(permit);
    const now = this.#update(permit, evidence);
    if (!permit.settled) this.#settle(permit, verdict, evidence, now);
    this.#events.flush();
  }

  /** Commits what time has made due. */
  update(): void {
    this.#update();
    this.#events.flush();
  }

  /** `open` refuses all and `disable` admits all, until `close`, which starts with an empty window. */
  command(command: Command): void {
    const now = this.#update();
    this.#commit(commanded(command, this.#rules, now), now, {});
    this.#events.flush();
  }

  /** Learns from other processes: of an opening, or that a probe of theirs has passed. */
  learn(news: Opening | 'closed'): void {
    const now = this.#update();
    const to = learned(this.#rules, this.#state, now, news);
    if (to) this.#commit(to, now, { closeReason: 'shared' });
    this.#events.flush();
  }

  /** What there is to tell other processes, as of now. */
  ownOpening(): OwnOpening | undefined {
    const now = this.#readClock();
    return ownOpening(this.#stateAt(now), now);
  }

  /** Closed as of now, with nothing in flight. */
  isIdle(): boolean {
    return this.#stateAt(this.#readClock()).name === 'closed' && this.#totals.inFlight === 0;
  }

  /** The figures as of now. Reading commits nothing. */
  figures(): CircuitFigures {
    const now = this.#readClock();
    const { counts, inFlight, lastError } = this.#totals;
    return { ...figuresOf(this.#stateAt(now), now), counts, inFlight, lastError };
  }

  #stateAt(now: number): State {
    return stateAt(this.#rules, this.#state, now, this.#chance);
  }

  #admit(now: number, deadline: number | undefined, mayProbe: boolean): Permit | Refusal {
    const state = this.#state;
    if (state.name === 'closed') {
      const permit = new Permit(this, now, state);
      state.tally.start(permit);
      return permit;
    }
    if (state.name === 'disabled') return new Permit(this, now, state);
    if (state.name === 'half-open' && state.probes.hasFreeSlot && mayProbe) {
      const permit = new Permit(this, now, state, leaseOf(this.#rules, deadline));
      state.probes.take(permit);
      return permit;
    }
    if (this.#rules.observe) return new Permit(this, now, undefined);
    return refusalOf(state, now);
  }

  #settle(permit: Permit, verdict: Verdict, evidence: Evidence, now: number): void {
    this.#end(permit, verdict, evidence, now);
    const state = this.#state;
    const { rateLimit, isExcused = false } = evidence;
    const hasFailed = verdict === 'failure';
    if (permit.late && state.name === 'open' && rateLimit?.waitMs !== undefined) {
      state.statedUntil = Math.max(state.statedUntil, now + rateLimit.waitMs);
      state.until = Math.max(state.until, state.statedUntil);
    }
    if (permit.era !== state) return;
    if (verdict === 'ignored') {
      if (state.name === 'half-open') state.probes.release(permit);
    } else if (state.name === 'closed') {
      const trip = state.tally.record(now, permit, hasFailed, isExcused);
      // Whatever the window makes of it: that window ends here.
      const reason = rateLimit === undefined ? trip : 'rate-limit';
      if (reason) this.#open(state, now, reason, evidence);
    } else if (state.name === 'half-open') {
      if (rateLimit) this.#open(state, now, 'rate-limit', evidence);
      else if (hasFailed || permit.slow) this.#open(state, now, 'probe-failed', evidence);
      else if (state.probes.pass(permit)) {
        this.#commit(passed(this.#rules, state, now), now, { closeReason: 'probes-passed' });
      }
    }
  }

  /** Books the end of an exchange, and tells of it. */
  #end(permit: Permit, verdict: Verdict, evidence: Evidence, now: number): void {
    const { slowCallDuration = Infinity } = this.#rules;
    permit.settled = true;
    permit.durationMs = now - permit.startedAt;
    permit.late = permit.era !== undefined && permit.era !== this.#state;
    permit.slow =
      permit.overdue || (verdict !== 'ignored' && permit.durationMs >= slowCallDuration);
    this.#totals.countEnded(permit, verdict, evidence);
    announceEnd(this.#events, this.key, permit, verdict, evidence);
  }

  /** `ending`, with its evidence: a probe may be about to be settled just when its lease ends. */
  #update(ending?: Permit, evidence?: Evidence): number {
    const now = (this.#now = this.#readClock());
    for (let due = this.#due(now); due !== undefined; due = this.#due(now)) {
      const { to, at, expired } = due;
      const { error, response } = (expired === ending ? evidence : undefined) ?? {};
      if (expired) this.#end(expired, 'failure', { error, response }, at);
      const isTold = to.name === 'open' && error !== undefined;
      const next = isTold ? { ...to, cause: summarize(error) } : to;
      this.#commit(next, at, { closeReason: 'cooldown-elapsed', error });
    }
    const state = this.#state;
    if (state.name === 'closed') {
      const reason = state.tally.countOverdue(now);
      if (reason !== undefined) this.#open(state, now, reason);
    }
    return now;
  }

  #due(now: number): Transition | undefined {
    return due(this.#rules, this.#state, now, this.#chance);
  }

  #readClock(): number {
    const time = this.#clock.now();
    return time > this.#now ? time : this.#now;
  }

  #open(from: Closed | HalfOpen, now: number, reason: OpenReason, evidence: Evidence = {}): void {
    const { error, rateLimit } = evidence;
    const cause = error === undefined ? undefined : summarize(error);
    const to = opened(this.#rules, from, now, this.#chance, { reason, cause, rateLimit });
    this.#commit(to, now, { error, statedBy: rateLimit?.from });
  }

  /** The one place where the state changes: check, swap, queue the event. */
  #commit(to: State, at: number, why: Why): void {
    const from = this.#state.name;
    if (!isLegal(from, to.name)) throw new Error(`A circuit cannot go from ${from} to ${to.name}`);
    this.#state = to;
    if (from === to.name) return;
    const since = this.#openSince;
    if (isRefusing(to.name)) {
      this.#openSince ??= at;
      this.#chance = this.#rules.random();
      this.#totals.countOpened();
    } else if (to.name !== 'half-open') {
      this.#openSince = undefined;
    }
    const { observe } = this.#rules;
    const openForMs = since === undefined ? undefined : Math.round(at - since);
    announceChange(this.#events, { key: this.key, to, observe, openForMs, ...why });
  }
}
