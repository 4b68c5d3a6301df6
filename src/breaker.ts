import { isRefusing, type CircuitState } from './circuit/state.js';
import type { Clock } from './circuit/clock.js';
import { Circuits } from './circuits.js';
import { diagnosticsSink } from './diagnostics.js';
import { EventQueue, type EventSink } from './events.js';
import { Faults } from './faults.js';
import type { Compartment } from './http/dispatch.js';
import { defaultKey } from './http/key.js';
import { RateLimits } from './http/rate-limits.js';
import { Judge } from './http/verdict.js';
import { memberOf } from './member.js';
import type { ResolvedOptions } from './resolve-options.js';
import { noFleet, type Fleet, type SharedSeat } from './shared-state.js';
import { heaviest, snapshotOf, type CircuitSnapshot } from './snapshot.js';

/** What a breaker is made of, whatever it guards. */
export interface BreakerParts {
  readonly name: string;
  readonly clock: Clock;
  readonly circuits: Circuits;
  readonly events: EventQueue;
  readonly faults: Faults;
  readonly judge: Judge;
  readonly observes: boolean;
  readonly seat: SharedSeat | undefined;
}

export function createParts(options: ResolvedOptions): BreakerParts {
  const { name, clock, rules, bulkhead, maxKeys, errorHandler, responseHandler } = options;
  const events = new EventQueue();
  const diagnostics = diagnosticsSink(name);
  const faults = new Faults(options.onFault);
  const rateLimits = options.rateLimit && new RateLimits(options.rateLimit, rules.random, faults);
  const circuits = new Circuits({ rules, bulkhead, clock, events, faults, maxKeys });
  if (diagnostics) events.addSink(diagnostics);
  const seat = options.shared?.join(memberOf(options, { circuits, events, faults }));
  if (seat) circuits.onMade = (key) => seat.made(key);
  return {
    name,
    clock,
    circuits,
    events,
    faults,
    judge: new Judge(errorHandler, responseHandler, rateLimits, faults),
    observes: rules.observe,
    seat,
  };
}

/** What every breaker can be asked and told. */
export abstract class Breaker {
  /** The label in errors, events and metrics. */
  readonly name: string;
  readonly #parts: BreakerParts;

  /** @internal */
  constructor(parts: BreakerParts) {
    this.name = parts.name;
    this.#parts = parts;
  }

  /**
   * Whether requests are refused: the state is `'open'` or `'forced-open'`. Without a key: of any
   * circuit. Never in `observe` mode.
   */
  getStatus(key?: string): boolean {
    return !this.#parts.observes && this.#states(key).some(isRefusing);
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
    return this.#parts.circuits.keys();
  }

  /** Refuses every request, until `close()`; without a key, of all circuits, present and future. */
  open(key?: string): void {
    this.#parts.circuits.command('open', key);
  }

  /** Closes, with an empty window; ends `open()` and `disable()`. Without a key: all circuits. */
  close(key?: string): void {
    this.#parts.circuits.command('close', key);
  }

  /**
   * Admits every request and counts only totals, until `close()`; without a key, of all circuits,
   * present and future.
   */
  disable(key?: string): void {
    this.#parts.circuits.command('disable', key);
  }

  /** Commands to the breakers of this name in all processes. Without the option `shared` they reject. */
  get fleet(): Fleet {
    return this.#parts.seat?.fleet ?? noFleet;
  }

  /** @internal */
  addSink(sink: EventSink): () => void {
    return this.#parts.events.addSink(sink);
  }

  /** @internal */
  get isDetached(): boolean {
    return this.#parts.events.isClosed;
  }

  /** @internal */
  reportFault(source: string, error: unknown): void {
    this.#parts.faults.report(source, error);
  }

  #compartments(key: string | undefined): Compartment[] {
    const all = this.#parts.circuits.all();
    return key === undefined && all.length > 0
      ? all
      : [this.#parts.circuits.peek(key ?? defaultKey)];
  }

  #states(key: string | undefined): CircuitState[] {
    return this.#compartments(key).map(({ circuit }) => circuit.figures().state);
  }
}
