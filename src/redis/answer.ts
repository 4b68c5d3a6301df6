import type { Recovery } from '../circuit/state.js';

/** What Redis knows of a circuit. */
export interface CircuitNews {
  /** The circuit's, in Redis. */
  readonly id: string;
  readonly state: 'open' | 'closed';
  /** Grows with each change, within an incarnation. */
  readonly epoch: number;
  /** How much longer it is open, in ms. */
  readonly waitMs: number;
  readonly recovery: Recovery;
  readonly row: number;
}

/** A command to all processes. */
export interface FleetNews {
  /** The circuit's, in Redis; `*` for all. */
  readonly id: string;
  readonly command: 'open' | 'close';
  readonly epoch: number;
}

/** What the script answers. */
export interface Answer {
  readonly status: 'ok' | 'stale' | 'full';
  /** Another one where Redis has lost its memory. */
  readonly incarnation: string;
  /** The last one that was given. */
  readonly epoch: number;
  /** The time in Redis, in ms. */
  readonly now: number;
  readonly circuits: readonly CircuitNews[];
  readonly fleet: readonly FleetNews[];
  readonly granted: boolean;
  /** Until a lease that was denied may be free. */
  readonly waitMs: number;
  /** The opening that a lease is for; 0 where there is none. */
  readonly leaseEpoch: number;
}

/** Longer than any row goes on to matter. */
const longestRow = 100;

/**
 * What Redis holds can be written by others: nothing is taken that has not the form it must have.
 *
 * @throws TypeError where it is no answer at all.
 */
export function readAnswer(reply: unknown): Answer {
  const given = parse(reply);
  const { status, incarnation, epoch, now } = given;
  const isAnswer =
    (status === 'ok' || status === 'stale' || status === 'full') &&
    typeof incarnation === 'string' &&
    isCount(epoch) &&
    isTime(now);
  if (!isAnswer) throw new TypeError('Redis answered what the script does not say');
  return {
    status,
    incarnation,
    epoch,
    now,
    circuits: list(given['circuits']).map(readCircuit).filter(isKnown),
    fleet: list(given['fleet']).map(readCommand).filter(isKnown),
    granted: given['granted'] === true,
    waitMs: isTime(given['waitMs']) ? given['waitMs'] : 0,
    leaseEpoch: isCount(given['leaseEpoch']) ? given['leaseEpoch'] : 0,
  };
}

function parse(reply: unknown): Record<string, unknown> {
  try {
    return Object(JSON.parse(String(reply))) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function readCircuit(entry: unknown): CircuitNews | undefined {
  const [id, state, epoch, waitMs, recovery, row] = list(entry);
  const isOne =
    typeof id === 'string' &&
    (state === 'open' || state === 'closed') &&
    isCount(epoch) &&
    isTime(waitMs) &&
    (recovery === 'clock' || recovery === 'probe') &&
    isCount(row);
  return isOne ? { id, state, epoch, waitMs, recovery, row: Math.min(row, longestRow) } : undefined;
}

function readCommand(entry: unknown): FleetNews | undefined {
  const [id, command, epoch] = list(entry);
  const isOne =
    typeof id === 'string' && (command === 'open' || command === 'close') && isCount(epoch);
  return isOne ? { id, command, epoch } : undefined;
}

/** Lua knows no empty list: it writes an empty object. */
function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isKnown<Item>(item: Item | undefined): item is Item {
  return item !== undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= 0;
}
