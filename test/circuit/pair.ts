import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { Circuit } from '../../src/circuit/circuit.js';
import type { CircuitEvents } from '../../src/circuit/events.js';
import type { Opening } from '../../src/circuit/learned.js';
import type { Permit, RateLimit, Verdict } from '../../src/circuit/permit.js';
import type { ProbeTurn } from '../../src/circuit/probes.js';
import type { CircuitRules } from '../../src/circuit/rules.js';
import { EventQueue, type BreakerEventName } from '../../src/events.js';
import type { CircuitBreakerOptions } from '../../src/index.js';
import { Listeners } from '../../src/listeners.js';
import { resolveOptions } from '../../src/resolve-options.js';
import { chance, ReferenceModel, type ModelPermit, type ModelTurn } from './reference-model.js';

export type Step =
  | { readonly do: 'acquire'; readonly deadline: number }
  | {
      readonly do: 'settle';
      readonly pick: number;
      readonly verdict: Verdict;
      readonly isExcused: boolean;
      readonly rateLimit: RateLimit | undefined;
    }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'learn'; readonly news: Opening | 'closed' }
  | { readonly do: 'turn'; readonly deadline: number }
  | { readonly do: 'use'; readonly deadline: number; readonly isGranted: boolean }
  | { readonly do: 'open' | 'close' | 'disable' | 'update' };

/** What a listener does when it is told an event. */
export type Reaction = 'acquire' | 'open' | 'close' | 'disable' | 'throw';
export type Reactions = Partial<Record<BreakerEventName, Reaction>>;

export const eventNames = [
  'OPEN',
  'WOULD_OPEN',
  'HALF_OPEN',
  'CLOSE',
  'SUCCESS',
  'FAILURE',
  'IGNORE',
] as const;

/** The longest wait that an answer of these schedules states. */
export const longestWait = 4_000;

const commanded = { open: 'forced-open', close: 'closed', disable: 'disabled' } as const;

/** The circuit and its model, side by side, given the same steps. */
export class Pair {
  readonly rules: CircuitRules;
  readonly model: ReferenceModel;
  readonly circuit: Circuit;
  readonly permits: { readonly real: Permit; readonly model: ModelPermit | undefined }[] = [];
  readonly told: string[] = [];
  /** How many more times listeners call back in. */
  readonly #budget = { real: 5, model: 5 };
  #time = 5_000;
  readonly #hasListeners: boolean;
  #compared = 0;
  /** The turns to probe that were taken and not used. */
  readonly #turns: { readonly real: ProbeTurn; readonly model: ModelTurn }[] = [];
  #real: Permit[] = [];
  #modelled: ModelPermit[] = [];

  constructor(given: CircuitBreakerOptions, react: Reactions) {
    this.rules = { ...resolveOptions(given).rules, random: () => chance };
    this.#hasListeners = Object.keys(react).length > 0;
    const events = new EventQueue();
    const listeners = new Listeners(() => undefined);
    const clock = { now: () => this.#time, setTimeout: fail, clearTimeout: fail };
    this.circuit = new Circuit('default', this.rules, clock, events);
    this.model = new ReferenceModel(this.rules, this.#time);
    for (const name of eventNames) {
      listeners.on(name, (event: CircuitEvents[typeof name]) => {
        this.told.push(asText(name, event));
        const reaction = react[name];
        if (reaction === undefined || this.#budget.real-- <= 0) return;
        if (reaction === 'throw') throw new Error('a listener that throws');
        if (reaction === 'acquire') this.#acquireReal(500);
        else this.circuit.command(reaction);
      });
    }
    events.addSink(listeners);
    this.model.listener = (name) => {
      const reaction = react[name as BreakerEventName];
      if (reaction === undefined || this.#budget.model-- <= 0) return;
      if (reaction === 'acquire') this.#acquireModel(500);
      else if (reaction !== 'throw') this.model.command(this.#time, commanded[reaction]);
    };
  }

  run(step: Step): void {
    if (step.do === 'acquire') {
      deepStrictEqual(this.#acquireReal(step.deadline), this.#acquireModel(step.deadline));
    } else if (step.do === 'settle') {
      this.#settle(step);
    } else if (step.do === 'wait') {
      this.#time += step.ms;
    } else if (step.do === 'update') {
      this.circuit.update();
      this.model.update(this.#time);
      this.model.flush();
    } else if (step.do === 'learn') {
      this.circuit.learn(step.news);
      this.model.learn(this.#time, step.news);
    } else if (step.do === 'turn') {
      this.#takeTurn(step.deadline);
    } else if (step.do === 'use') {
      this.#useTurn(step.deadline, step.isGranted);
    } else {
      this.circuit.command(step.do);
      this.model.command(this.#time, commanded[step.do]);
    }
    const modelled = this.#modelled.splice(0);
    this.permits.push(
      ...this.#real.splice(0).map((real, index) => ({ real, model: modelled[index] })),
    );
    this.#compare();
  }

  /** With every call hung for ever, some later request is admitted. */
  expectLiveness(): void {
    while (this.#turns.length > 0) this.run({ do: 'use', deadline: 50, isGranted: false });
    this.#budget.real = 0;
    const { cooldown, probing } = this.rules;
    const lease = probing.lease ?? 30_000;
    const longest =
      Math.max(cooldown.max, cooldown.base, longestWait) + Math.max(cooldown.base, lease);
    this.#time = Math.max(this.#time, this.model.now) + longest;
    const first = this.circuit.acquire();
    if (!first.refused || first.state === 'forced-open') return;
    this.#time += first.retryAfterMs;
    strictEqual(this.circuit.acquire().refused, false);
  }

  #settle({ pick, verdict, isExcused, rateLimit }: Extract<Step, { do: 'settle' }>): void {
    const { real, model } = this.permits[pick % this.permits.length] ?? {};
    const settleBoth = () => {
      if (model) this.model.settle(this.#time, model, verdict, { isExcused, rateLimit });
      real?.settle(verdict, { isExcused, rateLimit });
    };
    if (model === undefined || model.settled || model.untracked) settleBoth();
    else this.#expectLateMovesOutOnly(model, rateLimit, settleBoth);
  }

  /** Invariant 9: a late answer changes nothing but totals; one that states a wait may move the end out. */
  #expectLateMovesOutOnly(
    permit: ModelPermit,
    rateLimit: RateLimit | undefined,
    settleBoth: () => void,
  ): void {
    const isLate = permit.era !== this.model.era && !this.#hasListeners;
    if (isLate) {
      // More than once where a cooldown of 0 is over as soon as it has begun.
      do this.run({ do: 'update' });
      while ((this.circuit.dueAt ?? Infinity) <= this.model.now);
    }
    const standing = () => {
      const { state, openReason, failureRate, slowRate } = this.circuit.figures();
      return { state, openReason, failureRate, slowRate };
    };
    const before = standing();
    const { dueAt } = this.circuit;
    const told = this.told.length;
    settleBoth();
    if (!isLate) return;
    const stated = before.state === 'open' ? (rateLimit?.waitMs ?? 0) : 0;
    deepStrictEqual(standing(), before);
    strictEqual(this.circuit.dueAt, dueAt && Math.max(dueAt, this.model.now + stated));
    strictEqual(this.told.length, told + 1);
  }

  #takeTurn(deadline: number): void {
    const real = this.circuit.takeTurn(deadline);
    const model = this.model.takeTurn(this.#time, deadline);
    strictEqual(real?.lease, model?.lease);
    if (real && model) this.#turns.push({ real, model });
  }

  #useTurn(deadline: number, isGranted: boolean): void {
    const turn = this.#turns.shift();
    if (turn === undefined) return;
    turn.real.isGranted = turn.model.isGranted = isGranted;
    deepStrictEqual(
      this.#acquireReal(deadline, turn.real),
      this.#acquireModel(deadline, turn.model),
    );
  }

  #acquireReal(deadline: number, turn?: ProbeTurn) {
    const answer = this.circuit.acquire(deadline, turn);
    if (!answer.refused) {
      this.#real.push(answer);
      return { startedAt: answer.startedAt, leaseEnd: answer.leaseEnd };
    }
    const { state, reason, retryAfterMs } = answer;
    ok(Number.isInteger(retryAfterMs) || retryAfterMs === Infinity);
    return { state, reason, retryAfterMs };
  }

  #acquireModel(deadline: number, turn?: ModelTurn) {
    const answer = this.model.acquire(this.#time, deadline, turn);
    if ('retryAfterMs' in answer) return answer;
    this.#modelled.push(answer);
    return { startedAt: answer.startedAt, leaseEnd: answer.leaseEnd };
  }

  #compare(): void {
    const figures = this.circuit.figures();
    const { counts } = figures;
    const { model, rules } = this;
    deepStrictEqual(counts, model.counts);
    strictEqual(figures.inFlight, model.inFlight);
    deepStrictEqual(this.told.slice(this.#compared), model.told.slice(this.#compared));
    this.#compared = this.told.length;
    strictEqual(
      counts.success + counts.failure + counts.ignored + figures.inFlight,
      counts.admitted,
    );
    if (rules.observe) strictEqual(counts.refused, 0);
    // Until both have looked at the clock, the model does not know what time has made due.
    if (model.now < this.#time) return;
    strictEqual(figures.failureRate, model.share(model.failures));
    strictEqual(figures.slowRate, model.share(model.slowness));
    strictEqual(figures.retryAfterMs, model.retryAfter());
    if (model.state !== 'half-open') return;
    const { length: running } = model.running;
    ok(running <= rules.probing.concurrent);
    ok(running + model.passed <= rules.probing.probes);
  }
}

function fail(): never {
  throw new Error('The circuit owns no timer');
}

function asText(name: BreakerEventName, event: object): string {
  const told = event as Record<string, string | number | boolean | undefined>;
  const parts = [
    'reason',
    'cooldownMs',
    'from',
    'openForMs',
    'durationMs',
    'slow',
    'probe',
    'late',
  ];
  return [name, ...parts.map((part) => told[part])].filter((part) => part !== undefined).join(' ');
}
