import { Alarm } from './circuit/alarm.js';
import { Circuit } from './circuit/circuit.js';
import type { Clock } from './circuit/clock.js';
import type { Opening } from './circuit/learned.js';
import type { CircuitRules } from './circuit/rules.js';
import type { Command } from './circuit/transitions.js';
import type { BreakerEventName, BreakerEvents, EventQueue } from './events.js';
import type { Faults } from './faults.js';
import { Bulkhead, type BulkheadRules } from './http/bulkhead.js';
import type { Compartment } from './http/dispatch.js';

export interface CircuitsSetup {
  readonly rules: CircuitRules;
  readonly bulkhead: BulkheadRules;
  readonly clock: Clock;
  readonly events: EventQueue;
  readonly faults: Faults;
  readonly maxKeys: number;
}

type Entry = Compartment & {
  /** Once the circuit has left its first state. */
  alarm?: Alarm;
};

const overflowKey = '(overflow)';

/** The circuits of a breaker by key, the least recently used first. */
export class Circuits {
  readonly #setup: CircuitsSetup;
  readonly #entries = new Map<string, Entry>();
  /** The last one of them. */
  #newest: Entry | undefined;
  #overflow: Entry | undefined;
  /** The last command for all: it holds for circuits to come, too. */
  #standing: Command = 'close';
  /** Told the key of each circuit that is made. */
  onMade: (key: string) => void = () => undefined;

  constructor(setup: CircuitsSetup) {
    this.#setup = setup;
    setup.events.addSink({
      wants: (type) =>
        type === 'OPEN' || type === 'WOULD_OPEN' || type === 'HALF_OPEN' || type === 'CLOSE',
      tell: (type, event) => this.#react(type, event),
    });
  }

  keys(): string[] {
    return this.all().map(({ circuit }) => circuit.key);
  }

  all(): Compartment[] {
    return this.#all();
  }

  /** The circuit of a key, made where there is none. */
  use(key: string): Compartment {
    const known = this.#entries.get(key);
    if (known === undefined) return this.#make(key);
    if (known !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      this.#newest = known;
    }
    return known;
  }

  /** The circuit of a key as it would be, without making it. */
  peek(key: string): Compartment {
    return this.#find(key) ?? this.#create(key);
  }

  /** Gives a command to the circuit of a key, or to all, present and future. */
  command(command: Command, key: string | undefined): void {
    if (key !== undefined) {
      const known = this.#find(key);
      // An unknown key that is told what holds for all anyway needs no circuit; else it gets its own.
      if (known !== undefined || command !== this.#standing) {
        give(command, known ?? this.#add(key));
      }
      return;
    }
    this.#standing = command;
    for (const entry of this.#all()) give(command, entry);
  }

  /** Tells a circuit that there is what other processes have learned. */
  learn(key: string, news: Opening | 'closed'): void {
    this.#find(key)?.circuit.learn(news);
  }

  /** Those that wait for the circuit may ask it again. */
  wake(key: string): void {
    this.#find(key)?.line?.release();
  }

  stop(): void {
    for (const { alarm, line } of this.#all()) {
      alarm?.stop();
      line?.releaseAll();
    }
  }

  #all(): Entry[] {
    return [...this.#entries.values(), ...(this.#overflow ? [this.#overflow] : [])];
  }

  #find(key: string): Entry | undefined {
    return this.#entries.get(key) ?? (key === overflowKey ? this.#overflow : undefined);
  }

  #make(key: string): Entry {
    if (this.#entries.size >= this.#setup.maxKeys && !this.#evict()) {
      return (this.#overflow ??= this.#createOverflow());
    }
    return this.#add(key);
  }

  #add(key: string): Entry {
    const made = this.#create(key);
    this.#entries.set(key, made);
    this.#newest = made;
    this.onMade(key);
    return made;
  }

  #create(key: string): Entry {
    const { rules, clock, events, bulkhead } = this.#setup;
    const circuit = new Circuit(key, rules, clock, events, this.#standing);
    const isLimited = bulkhead.maxConcurrent < Infinity;
    return {
      circuit,
      bulkhead: isLimited ? new Bulkhead(bulkhead, clock) : undefined,
      returning: 0,
    };
  }

  #createOverflow(): Entry {
    const { faults, maxKeys } = this.#setup;
    const message = `None of ${maxKeys} circuits can be evicted: further keys share one`;
    faults.report('maxKeys', new RangeError(message));
    return this.#create(overflowKey);
  }

  /** Only a circuit that is closed and idle knows nothing that is worth keeping. */
  #evict(): boolean {
    // One that is closed in spite of a command for all was told so by its key.
    if (this.#standing !== 'close') return false;
    for (const [key, { circuit, bulkhead, returning, alarm }] of this.#entries) {
      if (bulkhead?.isEmpty === false || returning > 0 || !circuit.isIdle()) continue;
      circuit.update();
      if (!circuit.isIdle()) continue;
      alarm?.stop();
      this.#entries.delete(key);
      return true;
    }
    return false;
  }

  #react(type: BreakerEventName, { key }: BreakerEvents[BreakerEventName]): void {
    const entry = this.#find(key);
    if (entry === undefined) return;
    entry.alarm ??= new Alarm(entry.circuit, this.#setup.clock);
    entry.alarm.set();
    if (type === 'OPEN') entry.bulkhead?.refuseWaiting();
    else entry.line?.release();
  }
}

function give(command: Command, { circuit, line }: Entry): void {
  circuit.command(command);
  // No event tells of a circuit that was open from its beginning.
  line?.release();
}
