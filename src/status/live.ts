import { startTimer, type Clock } from '../circuit/clock.js';
import type { Board } from './board.js';
import { rowOf, type Row, type Sighting } from './circuit-status.js';
import { EventStream } from './event-stream.js';
import { answerJson, type StatusResponse } from './http.js';

const mostStreams = 100;
/** How long changes of state wait for others to come along, in ms. */
const urgentMs = 100;
/** All figures are computed again this often, in ms; less often where that is much to do. */
const leastPaceMs = 1_000;
const paceMsPerCircuit = 5;

/** What an event tells; its first one, of every circuit. */
export interface News {
  readonly isFirst: boolean;
  /** The time of the server's clock, in ms. */
  readonly now: number;
  readonly gone: readonly number[];
  readonly rows: readonly Row[];
}

/** Tells everybody who has the page open what has changed. Without them it does nothing. */
export class Live {
  readonly #board: Board;
  readonly #clock: Clock;
  readonly #streams = new Set<EventStream>();
  /** The rows as JSON, as they were last computed. */
  readonly #rows = new Map<number, string>();
  readonly #urgent = new Map<number, Sighting>();
  #stopTick: (() => void) | undefined;
  #stopUrgent: (() => void) | undefined;

  constructor(board: Board, clock: Clock) {
    this.#board = board;
    this.#clock = clock;
  }

  open(response: StatusResponse): void {
    // Gone before it came here, and never told so: it would hold its place for ever.
    if (response.destroyed === true) return;
    if (this.#streams.size >= mostStreams) {
      response.setHeader('retry-after', '10');
      answerJson(response, 503, { error: `Only ${mostStreams} pages can be live at once` });
      return;
    }
    const count = this.#refresh();
    const stream: EventStream = new EventStream(
      response,
      (ids, isFirst) => this.#compose(ids, isFirst),
      () => this.#leave(stream),
    );
    this.#streams.add(stream);
    stream.tell(this.#rows.keys());
    if (this.#stopTick === undefined) this.#scheduleTick(count);
  }

  /** Tells of a circuit whose state has changed, soon. */
  tell(sighting: Sighting): void {
    if (this.#streams.size === 0) return;
    this.#urgent.set(sighting.record.id, sighting);
    this.#stopUrgent ??= startTimer(this.#clock, urgentMs, () => {
      this.#stopUrgent = undefined;
      this.#publish(this.#compute(this.#urgent.values()));
      this.#urgent.clear();
    });
  }

  /** Tells of everything that has changed, now. */
  tellAll(): void {
    if (this.#streams.size > 0) this.#refresh();
  }

  beat(): void {
    for (const stream of this.#streams) stream.beat();
  }

  close(): void {
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
    this.#rest();
  }

  #leave(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#rest();
  }

  #rest(): void {
    this.#stopTick?.();
    this.#stopUrgent?.();
    this.#stopTick = this.#stopUrgent = undefined;
    this.#rows.clear();
    this.#urgent.clear();
  }

  #scheduleTick(count: number): void {
    const pace = Math.max(leastPaceMs, paceMsPerCircuit * count);
    this.#stopTick = startTimer(this.#clock, pace, () => this.#scheduleTick(this.#refresh()));
  }

  /** Returns how many circuits there are. */
  #refresh(): number {
    const sightings = this.#board.sightings();
    const changed = this.#compute(sightings);
    const present = new Set(sightings.map(({ record }) => record.id));
    for (const id of this.#rows.keys()) {
      if (present.has(id)) continue;
      this.#rows.delete(id);
      changed.push(id);
    }
    this.#publish(changed);
    return present.size;
  }

  /** Returns which rows are others than before. */
  #compute(sightings: Iterable<Sighting>): number[] {
    const changed: number[] = [];
    for (const sighting of sightings) {
      const row = JSON.stringify(rowOf(sighting));
      const { id } = sighting.record;
      if (this.#rows.get(id) === row) continue;
      this.#rows.set(id, row);
      changed.push(id);
    }
    return changed;
  }

  #publish(changed: readonly number[]): void {
    for (const stream of this.#streams) stream.tell(changed);
  }

  #compose(ids: ReadonlySet<number>, isFirst: boolean): string {
    const rows = [...ids].flatMap((id) => this.#rows.get(id) ?? []);
    const gone = [...ids].filter((id) => !this.#rows.has(id));
    const now = Math.round(this.#board.now());
    // The rows are JSON already.
    const news = `{"isFirst":${isFirst},"now":${now},"gone":[${gone.join()}],"rows":[${rows.join()}]}`;
    return `event: rows\ndata: ${news}\n\n`;
  }
}
