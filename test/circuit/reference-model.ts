import type { CircuitRules } from '../../src/circuit/rules.js';
import type { Opening } from '../../src/circuit/learned.js';
import type { OpenReason, Recovery } from '../../src/circuit/state.js';
import type { Evidence, RateLimit, Verdict } from '../../src/circuit/permit.js';

interface Sample {
  readonly at: number;
  readonly bad: boolean;
}

export interface ModelPermit {
  readonly era: number;
  readonly startedAt: number;
  readonly leaseEnd: number;
  /** Totals only: what an observing circuit would have refused. */
  readonly untracked: boolean;
  readonly whileDisabled: boolean;
  settled: boolean;
  overdue: boolean;
}

export interface ModelRefusal {
  readonly state: string;
  readonly reason: string;
  readonly retryAfterMs: number;
}

/** A slot that is kept for a probe. */
export interface ModelTurn {
  readonly era: number;
  readonly lease: number;
  isGranted: boolean;
}

/** The chance that both machines draw, always. */
export const chance = 0.5;

const count = (samples: readonly Sample[]) => samples.filter(({ bad }) => bad).length;

/** The rules of the circuit, written down naively: every figure is recounted from a log. */
export class ReferenceModel {
  now: number;
  state = 'closed';
  era = 0;
  until = 0;
  /** Until when the server told this process to wait. */
  statedUntil = -Infinity;
  reason: OpenReason = 'manual';
  /** How this opening is left. */
  recovery: Recovery = 'clock';
  row = 0;
  /** Whether calls of this process led to this opening. */
  isOwn = true;
  kept: ModelTurn[] = [];
  closedSince: number;
  closedBy = 'clock';
  hasSucceeded = false;
  openSince: number | undefined;
  badInARow = 0;
  failures: Sample[] = [];
  slowness: Sample[] = [];
  passed = 0;
  readonly permits: ModelPermit[] = [];
  readonly counts = {
    admitted: 0,
    refused: 0,
    success: 0,
    failure: 0,
    ignored: 0,
    slow: 0,
    late: 0,
    opened: 0,
  };
  readonly told: string[] = [];
  /** Called with the name of each event as it is told; may call back in. */
  listener: (name: string) => void = () => undefined;
  readonly #rules: CircuitRules;
  readonly #pending: string[] = [];
  #isTelling = false;

  constructor(rules: CircuitRules, now: number) {
    this.#rules = rules;
    this.now = now;
    this.closedSince = now;
  }

  get running(): ModelPermit[] {
    return this.permits.filter(
      ({ era, settled, untracked }) => era === this.era && !settled && !untracked,
    );
  }

  get inFlight(): number {
    return this.permits.filter(({ settled }) => !settled).length;
  }

  takeTurn(time: number, deadline: number): ModelTurn | undefined {
    this.update(time);
    const turn =
      this.state === 'half-open' && this.#hasSlot()
        ? { era: this.era, lease: this.#lease(deadline), isGranted: true }
        : undefined;
    if (turn) this.kept.push(turn);
    this.flush();
    return turn;
  }

  acquire(time: number, deadline: number, turn?: ModelTurn): ModelPermit | ModelRefusal {
    this.kept = this.kept.filter((other) => other !== turn);
    this.update(time);
    const mayProbe = turn?.isGranted !== false;
    const isProbe = this.state === 'half-open' && this.#hasSlot() && mayProbe;
    const isAdmitted = isProbe || this.state === 'closed' || this.state === 'disabled';
    let answer: ModelPermit | ModelRefusal;
    if (isAdmitted || this.#rules.observe) {
      const leaseEnd = isProbe ? this.now + this.#lease(deadline) : Infinity;
      const startedAt = this.now;
      answer = {
        era: this.era,
        startedAt,
        leaseEnd,
        untracked: !isAdmitted,
        whileDisabled: this.state === 'disabled',
        settled: false,
        overdue: false,
      };
      this.permits.push(answer);
      this.counts.admitted += 1;
    } else {
      this.counts.refused += 1;
      answer = { state: this.state, reason: this.reason, retryAfterMs: this.retryAfter() };
    }
    this.flush();
    return answer;
  }

  settle(time: number, permit: ModelPermit, verdict: Verdict, evidence: Evidence): void {
    if (permit.settled) return;
    const own = permit.era === this.era && this.state === 'closed' && !permit.untracked;
    this.update(time, own ? permit : undefined);
    // The update may have ended its lease, and so settled it.
    const isOpen = this.permits.some((other) => other === permit && !other.settled);
    if (isOpen) this.#judge(permit, verdict, evidence);
    this.flush();
  }

  command(time: number, to: 'forced-open' | 'closed' | 'disabled'): void {
    this.update(time);
    this.#enter(to, this.now, 'manual');
    this.row = 0;
    this.flush();
  }

  learn(time: number, news: Opening | 'closed'): void {
    this.update(time);
    if (news === 'closed') this.#learnClosing();
    else this.#learnOpening(news);
    this.flush();
  }

  #learnOpening({ waitMs, recovery: usual, row }: Opening): void {
    const recovery = this.#rules.recovery ?? usual;
    const before = this.state;
    if (before === 'open') {
      this.until = Math.max(this.until, this.now + waitMs);
      this.row = Math.max(this.row, row);
      return;
    }
    if (before !== 'closed' && before !== 'half-open') return;
    if (waitMs === 0 && (before === 'half-open' || recovery === 'clock')) return;
    this.isOwn = before === 'half-open' && this.isOwn;
    this.recovery = recovery;
    this.until = this.now + waitMs;
    this.statedUntil = -Infinity;
    this.row = Math.max(this.row, row);
    this.#enter('open', this.now, 'shared', waitMs);
  }

  #learnClosing(): void {
    if (this.state !== 'open' && this.state !== 'half-open') return;
    if (this.state === 'open' && this.now < this.statedUntil) return;
    const { row } = this;
    if (!this.isOwn) {
      this.#enter('closed', this.now, 'shared');
      Object.assign(this, { row, closedBy: 'probe' });
    } else if (this.state === 'open' && this.recovery === 'probe' && this.reason !== 'rate-limit') {
      this.#enter('half-open', this.now, '');
    }
  }

  #hasSlot(): boolean {
    const { probes, concurrent } = this.#rules.probing;
    const taken = this.running.length + this.kept.filter(({ era }) => era === this.era).length;
    return taken < concurrent && taken + this.passed < probes;
  }

  #lease(deadline: number): number {
    return this.#rules.probing.lease ?? Math.max(this.#rules.cooldown.base, deadline);
  }

  /** Applies what is due. `judging` is about to get its verdict, so it is not counted while in flight. */
  update(time: number, judging?: ModelPermit): void {
    this.now = Math.max(this.now, time);
    while (this.#applyDue());
    const limit = this.#rules.slowCallDuration ?? Infinity;
    for (const permit of this.running) {
      if (this.state !== 'closed' || permit.era !== this.era) return;
      if (permit === judging || permit.overdue || this.now - permit.startedAt < limit) continue;
      permit.overdue = true;
      this.badInARow += 1;
      this.slowness.push({ at: this.now, bad: true });
      this.#trip(false);
    }
  }

  flush(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let event = this.#pending.shift(); event; event = this.#pending.shift()) {
      this.told.push(event);
      this.listener(event.split(' ', 1)[0] ?? '');
    }
    this.#isTelling = false;
  }

  retryAfter(): number {
    if (this.state === 'forced-open') return Infinity;
    return this.state === 'open' ? Math.max(0, Math.ceil(this.until - this.now)) : 0;
  }

  /** The part of a log that the window holds. */
  inWindow(log: readonly Sample[]): readonly Sample[] {
    const { window } = this.#rules;
    if (window.kind === 'count') return log.slice(-window.size);
    const width = window.duration / 10;
    const current = Math.floor(this.now / width);
    return log.filter(({ at }) => Math.floor(at / width) > current - 10);
  }

  share(log: readonly Sample[]): number {
    const samples = this.state === 'closed' ? this.inWindow(log) : [];
    return samples.length === 0 ? 0 : count(samples) / samples.length;
  }

  #applyDue(): boolean {
    if (this.state === 'open' && this.now >= this.until) {
      const at = this.until;
      if (this.recovery === 'probe') this.#enter('half-open', at, '');
      else {
        const { row } = this;
        this.#enter('closed', at, 'cooldown-elapsed');
        Object.assign(this, { row, closedBy: 'clock' });
      }
      return true;
    }
    if (this.state !== 'half-open') return false;
    const [first] = this.running.toSorted((one, other) => one.leaseEnd - other.leaseEnd);
    if (first === undefined || this.now < first.leaseEnd) return false;
    this.#end(first, 'failure', first.leaseEnd, false);
    this.#open('probe-expired', first.leaseEnd);
    return true;
  }

  #judge(permit: ModelPermit, verdict: Verdict, { isExcused, rateLimit }: Evidence): void {
    const late = permit.era !== this.era && !permit.untracked;
    const slow = this.#end(permit, verdict, this.now, late);
    if (late && this.state === 'open') {
      this.until = Math.max(this.until, this.now + (rateLimit?.waitMs ?? 0));
      this.statedUntil = Math.max(this.statedUntil, this.now + (rateLimit?.waitMs ?? -Infinity));
    }
    if (late || permit.untracked || verdict === 'ignored') return;
    const failed = verdict === 'failure';
    if (this.state !== 'closed' && this.state !== 'half-open') return;
    if (rateLimit) {
      this.hasSucceeded ||= !failed;
      this.#open('rate-limit', this.now, rateLimit);
    } else if (this.state === 'half-open') {
      if (failed || slow) {
        this.#open('probe-failed', this.now);
        return;
      }
      this.passed += 1;
      if (this.passed < this.#rules.probing.probes) return;
      const { row } = this;
      this.#enter('closed', this.now, 'probes-passed');
      Object.assign(this, { row, closedBy: 'probe' });
    } else {
      this.failures.push({ at: this.now, bad: failed });
      this.hasSucceeded ||= !failed;
      if (!permit.overdue) {
        this.badInARow = failed || slow ? this.badInARow + 1 : 0;
        if (this.#rules.slowCallDuration !== undefined)
          this.slowness.push({ at: this.now, bad: slow });
      }
      this.#trip(failed && !isExcused);
    }
  }

  #end(permit: ModelPermit, verdict: Verdict, at: number, late: boolean): boolean {
    permit.settled = true;
    const duration = at - permit.startedAt;
    const isLong = duration >= (this.#rules.slowCallDuration ?? Infinity);
    const slow = permit.overdue || (verdict !== 'ignored' && isLong);
    this.counts[verdict] += 1;
    this.counts.slow += Number(slow && !permit.whileDisabled);
    this.counts.late += Number(late);
    const probe = permit.leaseEnd < Infinity;
    const name = { success: 'SUCCESS', failure: 'FAILURE', ignored: 'IGNORE' }[verdict];
    this.#pending.push([name, duration, slow, probe, late].join(' '));
    return slow;
  }

  #trip(hasError: boolean): void {
    const { trip } = this.#rules;
    const reaches = (log: readonly Sample[], threshold = Infinity) => {
      const samples = this.inWindow(log);
      return samples.length >= trip.minimumCalls && count(samples) / samples.length >= threshold;
    };
    if (trip.firstError && hasError) this.#open('first-error', this.now);
    else if (reaches(this.failures, trip.failureThreshold)) this.#open('failure-rate', this.now);
    else if (this.badInARow >= (trip.consecutiveFailures ?? Infinity))
      this.#open('consecutive', this.now);
    else if (reaches(this.slowness, trip.slowCallThreshold)) this.#open('slow-rate', this.now);
  }

  #open(reason: OpenReason, at: number, rateLimit?: RateLimit): void {
    const { base, factor, max, jitter, stableAfter } = this.#rules.cooldown;
    const hasEnded =
      this.state === 'closed' &&
      (this.closedBy === 'clock' ? this.hasSucceeded : at - this.closedSince >= stableAfter);
    if (hasEnded) this.row = 0;
    if (rateLimit?.waitMs === undefined) this.row += 1;
    const usual = Math.min(base * factor ** (this.row - 1), max) * (1 - jitter * chance);
    const cooldown = rateLimit?.waitMs ?? usual;
    this.until = at + cooldown;
    this.statedUntil = at + (rateLimit?.waitMs ?? -Infinity);
    const recovery = rateLimit?.recovery ?? (reason === 'first-error' ? 'clock' : 'probe');
    this.recovery = this.#rules.recovery ?? recovery;
    this.isOwn = true;
    this.#enter('open', at, reason, cooldown, rateLimit?.from);
  }

  #enter(to: string, at: number, reason: string, cooldown = Infinity, from?: string): void {
    const before = this.state;
    Object.assign(this, {
      state: to,
      era: this.era + 1,
      passed: 0,
      badInARow: 0,
      hasSucceeded: false,
    });
    Object.assign(this, { failures: [], slowness: [], closedSince: at, closedBy: 'clock' });
    if (to === 'open' || to === 'forced-open') this.reason = reason as OpenReason;
    if (before === to) return;
    if (to === 'open' || to === 'forced-open') {
      this.openSince ??= at;
      this.counts.opened += 1;
      const name = this.#rules.observe ? 'WOULD_OPEN' : 'OPEN';
      this.#pending.push([name, reason, cooldown, ...(from === undefined ? [] : [from])].join(' '));
    } else if (to === 'half-open') {
      this.#pending.push('HALF_OPEN');
    } else if (this.openSince !== undefined) {
      this.#pending.push(['CLOSE', reason, Math.round(at - this.openSince)].join(' '));
      this.openSince = undefined;
    }
  }
}
