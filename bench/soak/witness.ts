import axios, { type AxiosAdapter, type AxiosResponse } from 'axios';
import {
  isBreakerOpenError,
  isBulkheadFullError,
  type CircuitBreakerWithEmitter,
} from '../../src/index.js';

const verdicts = ['SUCCESS', 'FAILURE', 'IGNORE'] as const;
const told = [...verdicts, 'OPEN', 'CLOSE'] as const;

/** What became of the exchanges of one request. */
interface Trace {
  sent: number;
  /** Of the last of them, once it has ended. */
  outcome?: unknown;
}

/** What passes on either side of a breaker, counted without it. */
export class Witness {
  /** Requests that came to the breaker. */
  asked = 0;
  /** Exchanges: a held request that meets the limit again has more than one. */
  sent = 0;
  /** Requests that ended with something else than what their last exchange came to, if they had one. */
  refused = 0;
  readonly told = Object.fromEntries(told.map((name) => [name, 0])) as Record<
    (typeof told)[number],
    number
  >;
  readonly #traces = new WeakMap<object, Trace>();
  /** Circuits that were told open, and not yet closed. */
  readonly #open = new Set<string>();
  readonly #problems: string[] = [];

  listenTo(breaker: CircuitBreakerWithEmitter): void {
    for (const name of told) breaker.on(name, () => void (this.told[name] += 1));
    breaker.on('OPEN', ({ key }) => this.#open.add(key));
    breaker.on('CLOSE', ({ key }) => {
      if (!this.#open.delete(key)) this.#problems.push(`${key} closed without having been open`);
    });
  }

  /** The guard of a breaker, watched from outside. */
  around(guard: AxiosAdapter): AxiosAdapter {
    return (config) => {
      this.asked += 1;
      const trace: Trace = { sent: 0 };
      this.#traces.set(config, trace);
      const answer = guard(config);
      const end = (outcome: unknown) => {
        if (isRefusal(outcome, trace)) this.refused += 1;
        else if (trace.sent === 0)
          this.#problems.push(`neither sent nor refused: ${String(outcome)}`);
      };
      answer.then(end, end);
      return answer;
    };
  }

  /** The adapter behind the guard. */
  within(adapter: AxiosAdapter): AxiosAdapter {
    return (config) => {
      const trace = this.#traces.get(config);
      // Past the breaker.
      if (trace === undefined || config.circuitBreaker === false) return adapter(config);
      this.sent += 1;
      trace.sent += 1;
      trace.outcome = undefined;
      const answer = adapter(config);
      const end = (outcome: unknown) => void (trace.outcome = outcome);
      answer.then(end, end);
      return answer;
    };
  }

  /** What does not add up, while nothing is under way. */
  problems(breaker: CircuitBreakerWithEmitter): string[] {
    const { inFlight, queued, counts } = breaker.snapshot();
    const ended = counts.success + counts.failure + counts.ignored;
    const verdictsTold = this.told.SUCCESS + this.told.FAILURE + this.told.IGNORE;
    const sums: [string, number, number][] = [
      ['in flight', inFlight, 0],
      ['queued', queued, 0],
      ['success, failure and ignored', ended, counts.admitted],
      ['admitted', counts.admitted, this.sent],
      ['refused', counts.refused, this.refused],
      ['SUCCESS, FAILURE and IGNORE', verdictsTold, ended],
      ['OPEN', this.told.OPEN, counts.opened],
    ];
    const broken = sums
      .filter(([, seen, expected]) => seen !== expected)
      .map(([what, seen, expected]) => `${what}: ${seen} instead of ${expected}`);
    return [...broken, ...this.#problems.splice(0)].map((text) => `${breaker.name}: ${text}`);
  }
}

function isRefusal(outcome: unknown, { sent, outcome: last }: Trace): boolean {
  if (isBreakerOpenError(outcome) || isBulkheadFullError(outcome)) return true;
  const { fallback } = Object(outcome) as Partial<AxiosResponse>;
  if (fallback !== undefined && fallback !== 'hold') return true;
  // Aborted while it waited.
  return axios.isCancel(outcome) && (sent === 0 || (last !== undefined && last !== outcome));
}
