import { Alarm } from './circuit/alarm.js';
import { Circuit } from './circuit/circuit.js';
import type { CircuitFigures } from './circuit/figures.js';
import { isRefusing, type CircuitState } from './circuit/state.js';
import { describe } from './describe.js';
import { EventQueue, type BreakerEventName, type EventSink } from './events.js';
import { Faults } from './faults.js';
import { adapterResolver } from './http/adapter.js';
import { attach } from './http/attach.js';
import type { AxiosLike, AxiosStaticLike } from './http/axios-like.js';
import { RateLimits } from './http/rate-limits.js';
import { Judge } from './http/verdict.js';
import type { CircuitBreakerOptions } from './options.js';
import { resolveOptions, type ResolvedOptions } from './resolve-options.js';

/** What a breaker is attached to: an axios instance, alone or with the axios module that made it. */
export type BreakerTarget =
  AxiosLike | { readonly instance: AxiosLike; readonly axios?: AxiosStaticLike | undefined };

/** The figures of one circuit, as of now. */
export interface CircuitSnapshot extends CircuitFigures {
  /** The name of the breaker. */
  readonly name: string;
  readonly key: string;
  /** Requests that wait for a place. */
  readonly queued: number;
}

const onlyKey = 'default';
const transitions: readonly BreakerEventName[] = ['OPEN', 'WOULD_OPEN', 'HALF_OPEN', 'CLOSE'];

/**
 * A circuit breaker on an axios instance that already exists. It watches what the server answers,
 * refuses to send while the server needs rest, and lets traffic flow again by itself.
 *
 * @throws TypeError or RangeError where an option is unknown, is bad, or contradicts another.
 * @throws Error where the instance's default adapter is a name that its axios cannot look up (1.2 to 1.4).
 * @example
 * const breaker = new CircuitBreaker(client, { name: 'orders' });
 * if (breaker.getStatus()) console.log('orders are refused');
 */
export class CircuitBreaker {
  /** The label in errors, events and metrics. */
  readonly name: string;
  readonly #circuit: Circuit;
  readonly #events = new EventQueue();
  readonly #faults: Faults;
  readonly #observes: boolean;
  readonly #detach: () => void;

  constructor(http: BreakerTarget, options: CircuitBreakerOptions = {}) {
    const { instance, axios } = targetOf(http);
    const resolved = resolveOptions(options);
    const { name, clock, rules, requestTimeout } = resolved;
    this.name = name;
    this.#observes = rules.observe;
    this.#faults = new Faults(resolved.onFault);
    this.#circuit = new Circuit(onlyKey, rules, clock, this.#events);
    const gate = {
      name,
      circuit: this.#circuit,
      clock,
      events: this.#events,
      faults: this.#faults,
      requestTimeout,
      observes: rules.observe,
      judge: createJudge(resolved, this.#faults),
      resolveAdapter: adapterResolver(instance, axios),
      outermost: new WeakMap<object, unknown>(),
      isDetached: false,
    };
    const alarm = new Alarm(this.#circuit, clock);
    this.#events.addSink({
      wants: (type) => transitions.includes(type),
      tell: () => alarm.set(),
    });
    const eject = attach(instance, gate);
    this.#detach = () => {
      gate.isDetached = true;
      this.#events.close();
      alarm.stop();
      eject();
    };
    makeDisposable(this);
  }

  /** Whether requests are refused: the state is `'open'` or `'forced-open'`. Never in `observe` mode. */
  getStatus(key?: string): boolean {
    return !this.#observes && isRefusing(this.getState(key));
  }

  /** The state as of now. Reading changes nothing. */
  getState(key?: string): CircuitState {
    return this.#circuitOf(key).figures().state;
  }

  /** The figures as of now. Reading changes nothing. */
  snapshot(key?: string): CircuitSnapshot {
    const circuit = this.#circuitOf(key);
    return { name: this.name, key: circuit.key, queued: 0, ...circuit.figures() };
  }

  /** The keys of the circuits that there are. */
  keys(): string[] {
    return [this.#circuit.key];
  }

  /** Refuses every request, until `close()`. */
  open(key?: string): void {
    this.#circuitOf(key).open();
  }

  /** Closes, with an empty window; ends `open()` and `disable()`. */
  close(key?: string): void {
    this.#circuitOf(key).close();
  }

  /** Admits every request and counts only totals, until `close()`. */
  disable(key?: string): void {
    this.#circuitOf(key).disable();
  }

  /**
   * Takes the breaker off the instance, for good. Requests under way end as usual; nothing is told
   * any more. Again is no error. `Symbol.dispose`, where the runtime has it, does the same.
   */
  detach(): void {
    this.#detach();
  }

  /** @internal */
  addSink(sink: EventSink): () => void {
    return this.#events.addSink(sink);
  }

  /** @internal */
  reportFault(source: string, error: unknown): void {
    this.#faults.report(source, error);
  }

  #circuitOf(key: string | undefined): Circuit {
    if (key === undefined || key === this.#circuit.key) return this.#circuit;
    throw new RangeError(`Expected \`key\` to be ${describe(onlyKey)}, got ${describe(key)}`);
  }
}

function createJudge(options: ResolvedOptions, faults: Faults): Judge {
  const { errorHandler, responseHandler, rateLimit, rules } = options;
  const rateLimits = rateLimit && new RateLimits(rateLimit, rules.random, faults);
  return new Judge(errorHandler, responseHandler, rateLimits, faults);
}

function targetOf(http: BreakerTarget): {
  instance: AxiosLike;
  axios: AxiosStaticLike | undefined;
} {
  const { instance, axios } = Object(http) as { instance?: unknown; axios?: AxiosStaticLike };
  if (isAxios(http)) return { instance: http, axios: undefined };
  if (isAxios(instance)) return { instance, axios };
  throw new TypeError(
    `Expected \`http\` to be an axios instance or { instance }, got ${describe(http)}`,
  );
}

function isAxios(value: unknown): value is AxiosLike {
  const { interceptors } = Object(value) as { interceptors?: { request?: { use?: unknown } } };
  return typeof interceptors?.request?.use === 'function';
}

function makeDisposable(breaker: CircuitBreaker): void {
  const { dispose } = Symbol as { dispose?: symbol };
  if (dispose) Object.defineProperty(breaker, dispose, { value: () => breaker.detach() });
}
