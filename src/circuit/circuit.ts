import type { Clock } from './clock.js';
import { summarize } from './error-summary.js';
import type { EventOutlet } from './events.js';
import type { CircuitFigures, Refusal } from './figures.js';
import { Permit, type Evidence, type PermitIssuer, type Verdict } from './permit.js';
import { figuresOf, reasonOf, refusalOf } from './readings.js';
import type { CircuitRules } from './rules.js';
import { isLegal, isRefusing } from './state.js';
import type { Closed, CloseReason, HalfOpen, OpenReason, State } from './state.js';
import { Totals } from './totals.js';
import { commanded, due, opened, passed, stateAt } from './transitions.js';
import type { Command, Transition } from './transitions.js';

const verdictEvent = { success: 'SUCCESS', failure: 'FAILURE', ignored: 'IGNORE' } as const;

/** What an event tells of a transition beyond the state it leads to. */
interface Why {
  readonly closeReason?: CloseReason;
  readonly error?: unknown;
  /** Where the server says how long it wants to rest. */
  readonly statedBy?: string | undefined;
}

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

  /** The right to send one request now, or why not. `deadline`: how long the request may take, in ms. */
  acquire(deadline = 30_000): Permit | Refusal {
    const now = this.#update();
    const answer = this.#admit(now, deadline);
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

  /** Refuses all until `close`. */
  open(): void {
    this.#command('open');
  }

  /** Closed, with an empty window. */
  close(): void {
    this.#command('close');
  }

  /** Admits all, and only totals count, until `close`. */
  disable(): void {
    this.#command('disable');
  }

  /** Closed as of now, with nothing in flight. */
  isIdle(): boolean {
    const state = stateAt(this.#rules, this.#state, this.#readClock(), this.#chance);
    return state.name === 'closed' && this.#totals.inFlight === 0;
  }

  /** The figures as of now. Reading commits nothing. */
  figures(): CircuitFigures {
    const now = this.#readClock();
    const state = stateAt(this.#rules, this.#state, now, this.#chance);
    const { counts, inFlight, lastError } = this.#totals;
    return { ...figuresOf(state, now), counts, inFlight, lastError };
  }

  #admit(now: number, deadline: number): Permit | Refusal {
    const state = this.#state;
    if (state.name === 'closed') {
      const permit = new Permit(this, now, state);
      state.tally.start(permit);
      return permit;
    }
    if (state.name === 'disabled') return new Permit(this, now, state);
    if (state.name === 'half-open' && state.probes.hasFreeSlot) {
      const { probing, cooldown } = this.#rules;
      const lease = probing.lease ?? Math.max(cooldown.base, deadline);
      const permit = new Permit(this, now, state, lease);
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
      state.until = Math.max(state.until, now + rateLimit.waitMs);
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
    const type = verdictEvent[verdict];
    if (!this.#events.wants(type)) return;
    const { durationMs, slow, probe, late } = permit;
    const { error, response } = evidence;
    this.#events.push(type, { key: this.key, durationMs, slow, probe, late, error, response });
  }

  /** `ending`, with its evidence: a probe may be about to be settled just when its lease ends. */
  #update(ending?: Permit, evidence: Evidence = {}): number {
    const now = (this.#now = this.#readClock());
    for (let due = this.#due(now); due !== undefined; due = this.#due(now)) {
      const { to, at, expired } = due;
      const { error, response } = expired === ending ? evidence : {};
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

  #command(command: Command): void {
    const now = this.#update();
    this.#commit(commanded(command, this.#rules, now), now, {});
    this.#events.flush();
  }

  #open(
    from: Closed | HalfOpen,
    now: number,
    reason: OpenReason,
    { error, rateLimit }: Evidence = {},
  ): void {
    const cause = error === undefined ? undefined : summarize(error);
    const to = opened(this.#rules, from, now, this.#chance, { reason, cause, rateLimit });
    this.#commit(to, now, { error, statedBy: rateLimit?.from });
  }

  /** The one place where the state changes: check, swap, queue the event. */
  #commit(to: State, at: number, { closeReason = 'manual', error, statedBy }: Why): void {
    const from = this.#state.name;
    if (!isLegal(from, to.name)) throw new Error(`A circuit cannot go from ${from} to ${to.name}`);
    this.#state = to;
    if (from === to.name) return;
    const { key } = this;
    if (isRefusing(to.name)) {
      this.#openSince ??= at;
      this.#chance = this.#rules.random();
      this.#totals.countOpened();
      const cooldownMs = to.name === 'open' ? to.cooldownMs : Infinity;
      const type = this.#rules.observe ? 'WOULD_OPEN' : 'OPEN';
      const reason = reasonOf(to) ?? 'manual';
      this.#events.push(type, { key, reason, error, cooldownMs, from: statedBy });
    } else if (to.name === 'half-open') {
      this.#events.push('HALF_OPEN', { key });
    } else if (this.#openSince !== undefined) {
      const openForMs = Math.round(at - this.#openSince);
      this.#openSince = undefined;
      this.#events.push('CLOSE', { key, reason: closeReason, openForMs });
    }
  }
}
