import type { Board } from './board.js';
import type { Change } from './circuit-record.js';
import type { TimelineReading } from './timeline.js';

/** What the picture of one circuit is drawn from. */
export interface DrawnTimeline extends TimelineReading {
  readonly id: number;
  /** The last changes of state, the newest first; `at` is in ms of the server's clock. */
  readonly changes: readonly Change[];
}

/** What the page gets for the circuits that it shows. */
export interface Timelines {
  /** The time of the server's clock, in ms. */
  readonly now: number;
  readonly timelines: readonly DrawnTimeline[];
}

export function timelinesOf(board: Board, ids: readonly number[]): Timelines {
  const now = board.now();
  const timelines = board
    .find(ids)
    .map(({ id, timeline, changes }) => ({ id, ...timeline.read(now), changes }));
  return { now: Math.round(now), timelines };
}
