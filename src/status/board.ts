import { startTimer, type Clock } from '../circuit/clock.js';
import { describe } from '../describe.js';
import { Faults, warn } from '../faults.js';
import type { CircuitRecord } from './circuit-record.js';
import type { Sighting } from './circuit-status.js';
import { bucketMs } from './timeline.js';
import { WatchedBreaker, type ShownBreaker, type Teller } from './watched-breaker.js';

/** The breakers that a page shows: a list, which may grow, or a function that returns one. */
export type BreakerList = readonly ShownBreaker[] | (() => readonly ShownBreaker[]);

export interface BoardSetup {
  readonly list: BreakerList;
  readonly clock: Clock;
  /** Called every three seconds, after everything was looked at. */
  readonly onBeat: () => void;
  /** Told of a circuit whose state has changed. */
  readonly onChange: (sighting: Sighting) => void;
}

/** Watches the breakers of a list, those that join it later too. */
export class Board {
  readonly #list: BreakerList;
  readonly #clock: Clock;
  readonly #onBeat: BoardSetup['onBeat'];
  readonly #onChange: BoardSetup['onChange'];
  readonly #start: number;
  readonly #faults = new Faults(warn);
  readonly #watched = new Map<ShownBreaker, WatchedBreaker>();
  #lastId = 0;
  #isClosed = false;
  #stopBeat: () => void = () => undefined;

  /** @throws TypeError where the list is none, or holds what is no breaker. */
  constructor({ list, clock, onBeat, onChange }: BoardSetup) {
    this.#list = list;
    this.#clock = clock;
    this.#onBeat = onBeat;
    this.#onChange = onChange;
    this.#start = clock.now();
    this.#follow(this.#read());
    this.#beat();
  }

  /** Milliseconds since the board was made. */
  now(): number {
    return Math.max(0, this.#clock.now() - this.#start);
  }

  /** Each circuit as of now, in the order of the list. */
  sightings(): Sighting[] {
    this.#followList();
    return [...this.#watched.values()].flatMap((watched) => watched.sightings());
  }

  /** The circuits of these ids that there still are. */
  find(ids: readonly number[]): CircuitRecord[] {
    const wanted = new Set(ids);
    const records = [...this.#watched.values()].flatMap((watched) => [...watched.records()]);
    return records.filter(({ id }) => wanted.has(id));
  }

  breaker(label: unknown): ShownBreaker | undefined {
    return [...this.#watched.values()].find((watched) => watched.label === label)?.breaker;
  }

  look(): void {
    this.#followList();
    for (const watched of this.#watched.values()) watched.look();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopBeat();
    this.#follow([]);
  }

  #followList(): void {
    if (this.#isClosed) return;
    try {
      this.#follow(this.#read());
    } catch (error) {
      this.#faults.report('breakers', error);
    }
  }

  #beat(): void {
    const rest = bucketMs - (this.now() % bucketMs);
    this.#stopBeat = startTimer(this.#clock, rest, () => {
      this.look();
      this.#onBeat();
      this.#beat();
    });
  }

  #read(): readonly Teller[] {
    const list: unknown = typeof this.#list === 'function' ? this.#list() : this.#list;
    if (!Array.isArray(list)) {
      throw new TypeError(
        `Expected \`breakers\` to be a list, or a function that returns one, got ${describe(list)}`,
      );
    }
    const breakers = list.map((breaker: unknown, index) => {
      if (isTeller(breaker)) return breaker;
      throw new TypeError(
        `Expected \`breakers[${index}]\` to be a circuit breaker, got ${describe(breaker)}`,
      );
    });
    return breakers.filter(({ isDetached }) => isDetached !== true);
  }

  #follow(list: readonly Teller[]): void {
    for (const [breaker, watched] of this.#watched) {
      if (list.includes(breaker as Teller)) continue;
      watched.leave();
      this.#watched.delete(breaker);
    }
    for (const breaker of list) {
      if (!this.#watched.has(breaker)) this.#watched.set(breaker, this.#watch(breaker));
    }
  }

  #watch(breaker: Teller): WatchedBreaker {
    return new WatchedBreaker(breaker, this.#labelFor(breaker.name), {
      now: () => this.now(),
      newId: () => (this.#lastId += 1),
      onChange: this.#onChange,
    });
  }

  #labelFor(name: string): string {
    let label = name;
    for (let number = 2; this.breaker(label) !== undefined; number += 1)
      label = `${name} (${number})`;
    return label;
  }
}

function isTeller(value: unknown): value is Teller {
  return typeof (value as { addSink?: unknown } | null | undefined)?.addSink === 'function';
}
