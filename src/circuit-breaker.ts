import { isRefusing, type CircuitState } from './circuit/state.js';
import { Circuits } from './circuits.js';
import { describe } from './describe.js';
import { EventQueue, type EventSink } from './events.js';
import { asFallback } from './fallback/first-of.js';
import { Faults } from './faults.js';
import { adapterResolver } from './http/adapter.js';
import { attach } from './http/attach.js';
import type { AxiosLike, AxiosStaticLike, RequestConfig } from './http/axios-like.js';
import type { Compartment, Request } from './http/dispatch.js';
import { defaultKey, keyReader } from './http/key.js';
import { RateLimits } from './http/rate-limits.js';
import { Judge } from './http/verdict.js';
import type { CircuitBreakerOptions } from './options.js';
import { resolveOptions, type ResolvedOptions } from './resolve-options.js';
import { heaviest, snapshotOf, type CircuitSnapshot } from './snapshot.js';

/** What a breaker is attached to: an axios instance, alone or with the axios module that made it. */
export type BreakerTarget =
  AxiosLike | { readonly instance: AxiosLike; readonly axios?: AxiosStaticLike | undefined };

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
  readonly #circuits: Circuits;
  readonly #events = new EventQueue();
  readonly #faults: Faults;
  readonly #observes: boolean;
  readonly #detach: () => void;

  constructor(http: BreakerTarget, options: CircuitBreakerOptions = {}) {
    const { instance, axios } = targetOf(http);
    const resolved = resolveOptions(options);
    const { name, clock, rules, bulkhead, key, maxKeys, requestTimeout } = resolved;
    const events = this.#events;
    const faults = new Faults(resolved.onFault);
    const circuits = new Circuits({ rules, bulkhead, clock, events, faults, maxKeys });
    if (key === undefined) circuits.use(defaultKey);
    const keyOf = keyReader(key, faults);
    const gate = {
      name,
      find: (config: RequestConfig, ownKey: string | undefined) =>
        circuits.use(ownKey ?? keyOf(config)),
      clock,
      events,
      faults,
      requestTimeout,
      observes: rules.observe,
      judge: createJudge(resolved, faults),
      resolveAdapter: adapterResolver(instance, axios),
      outermost: new WeakMap<object, unknown>(),
      fallback: resolved.fallback,
      toSubstitute: asFallback,
      failed: resolved.fallsBackOnFailure ? new WeakMap<object, Request[]>() : undefined,
    };
    const eject = attach(instance, gate);
    this.name = name;
    this.#circuits = circuits;
    this.#faults = faults;
    this.#observes = rules.observe;
    this.#detach = () => {
      events.close();
      circuits.stop();
      eject();
    };
    makeDisposable(this);
  }

  /**
   * Whether requests are refused: the state is `'open'` or `'forced-open'`. Without a key: of any
   * circuit. Never in `observe` mode.
   */
  getStatus(key?: string): boolean {
    return !this.#observes && this.#states(key).some(isRefusing);
  }

  /**
   * The state as of now. Without a key: the first that any circuit is in of forced-open, open,
   * half-open, disabled, closed. Reading changes nothing.
   */
  getState(key?: string): CircuitState {
    return heaviest(this.#states(key));
  }

  /** The figures as of now; without a key, of all circuits together. Reading changes nothing. */
  snapshot(key?: string): CircuitSnapshot {
    return snapshotOf(this.name, this.#compartments(key));
  }

  /** The keys of the circuits that there are. */
  keys(): string[] {
    return this.#circuits.keys();
  }

  /** Refuses every request, until `close()`; without a key, of all circuits, present and future. */
  open(key?: string): void {
    this.#circuits.command('open', key);
  }

  /** Closes, with an empty window; ends `open()` and `disable()`. Without a key: all circuits. */
  close(key?: string): void {
    this.#circuits.command('close', key);
  }

  /**
   * Admits every request and counts only totals, until `close()`; without a key, of all circuits,
   * present and future.
   */
  disable(key?: string): void {
    this.#circuits.command('disable', key);
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
  get isDetached(): boolean {
    return this.#events.isClosed;
  }

  /** @internal */
  reportFault(source: string, error: unknown): void {
    this.#faults.report(source, error);
  }

  #compartments(key: string | undefined): Compartment[] {
    const all = this.#circuits.all();
    return key === undefined && all.length > 0 ? all : [this.#circuits.peek(key ?? defaultKey)];
  }

  #states(key: string | undefined): CircuitState[] {
    return this.#compartments(key).map(({ circuit }) => circuit.figures().state);
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
