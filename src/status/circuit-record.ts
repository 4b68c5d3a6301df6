import type { CircuitState, CloseReason, OpenReason } from '../circuit/state.js';
import { Latency } from './latency.js';
import { Timeline } from './timeline.js';

/** A change of state, as the page tells it. */
export interface Change {
  readonly at: number;
  readonly state: CircuitState;
  readonly reason: OpenReason | CloseReason | undefined;
}

const mostChanges = 8;

/** What is remembered of one circuit: a few kilobytes, whatever it does. */
export class CircuitRecord {
  readonly id: number;
  readonly key: string;
  readonly timeline: Timeline;
  readonly latency = new Latency();
  readonly #changes: Change[] = [];
  #state: CircuitState;
  #since: number;

  constructor(id: number, key: string, now: number, state: CircuitState) {
    this.id = id;
    this.key = key;
    this.timeline = new Timeline(now, state);
    this.#state = state;
    this.#since = now;
  }

  /** When it came into its state, or when it was first seen. */
  get since(): number {
    return this.#since;
  }

  /** The last changes of state, the newest first. */
  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Returns whether that is a change. */
  enter(now: number, state: CircuitState, reason?: OpenReason | CloseReason): boolean {
    this.timeline.enter(now, state);
    const [last] = this.#changes;
    if (state === this.#state) {
      // Seen before it was told: the reason comes with the event.
      if (last?.state === state && last.reason === undefined) {
        this.#changes[0] = { ...last, reason };
      }
      return false;
    }
    this.#state = state;
    this.#since = now;
    this.#changes.unshift({ at: now, state, reason });
    this.#changes.length = Math.min(this.#changes.length, mostChanges);
    return true;
  }
}
