import { Board, type BreakerList } from '../../src/status/board.js';
import { statusOf, type CircuitStatus, type Sighting } from '../../src/status/circuit-status.js';
import { ManualClock } from '../../src/testing/index.js';
import type { Guarded } from './guarded.js';

const boards = new Set<Board>();
afterEach(() => {
  for (const board of boards) board.close();
  boards.clear();
});

/** A board that ends with its test, and what it tells. */
export function createBoard(list: BreakerList, clock = new ManualClock()) {
  const onBeat = jest.fn();
  const onChange = jest.fn<undefined, [Sighting]>();
  const board = new Board({ list, clock, onBeat, onChange });
  boards.add(board);
  return { board, onBeat, onChange };
}

export function watch(guarded: Guarded) {
  return createBoard([guarded.breaker], guarded.clock);
}

export function statuses(board: Board): CircuitStatus[] {
  return board.sightings().map(statusOf);
}
