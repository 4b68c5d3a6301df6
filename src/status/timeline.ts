import type { CircuitState } from '../circuit/state.js';

/** The span of one bucket. */
export const bucketMs = 3_000;
export const buckets = 200;

/** From the lightest to the heaviest: a bucket shows the heaviest that it saw. */
export const bucketStates = ['closed', 'disabled', 'half-open', 'open', 'forced-open'] as const;

const counted = ['success', 'failure', 'refused'] as const;

/** What is counted in a bucket. */
export type Counted = (typeof counted)[number];

/** The last ten minutes, the oldest bucket first. */
export interface TimelineReading {
  /** The number of the last bucket, which is not over yet, counted from the clock's start. */
  readonly bucket: number;
  /** A digit for each bucket: 0 where nothing is known, else a place in `bucketStates`, from 1. */
  readonly states: string;
  readonly success: readonly number[];
  readonly failure: readonly number[];
  readonly refused: readonly number[];
}

/** What a circuit did in the last ten minutes, in fixed memory. */
export class Timeline {
  readonly #states = new Uint8Array(buckets);
  readonly #counts: Record<Counted, Uint32Array> = {
    success: new Uint32Array(buckets),
    failure: new Uint32Array(buckets),
    refused: new Uint32Array(buckets),
  };
  readonly #totals: Record<Counted, number> = { success: 0, failure: 0, refused: 0 };
  #bucket: number;
  #weight: number;

  constructor(now: number, state: CircuitState) {
    this.#bucket = Math.floor(now / bucketMs) - 1;
    this.#weight = weightOf(state);
    this.#advance(now);
  }

  /** From now on the circuit is in that state. */
  enter(now: number, state: CircuitState): void {
    const at = this.#advance(now);
    this.#weight = weightOf(state);
    this.#states[at] = Math.max(this.#states[at]!, this.#weight);
  }

  count(now: number, what: Counted): void {
    this.#counts[what][this.#advance(now)]! += 1;
    this.#totals[what] += 1;
  }

  /** How often each thing happened in these ten minutes. */
  totals(now: number): Record<Counted, number> {
    this.#advance(now);
    return { ...this.#totals };
  }

  read(now: number): TimelineReading {
    const first = this.#advance(now) + 1;
    const inOrder = (ring: Uint8Array | Uint32Array) => [
      ...ring.subarray(first),
      ...ring.subarray(0, first),
    ];
    const { success, failure, refused } = this.#counts;
    return {
      bucket: this.#bucket,
      states: inOrder(this.#states).join(''),
      success: inOrder(success),
      failure: inOrder(failure),
      refused: inOrder(refused),
    };
  }

  /** Begins the buckets that time has come to; returns where the last of them is. */
  #advance(now: number): number {
    const bucket = Math.floor(now / bucketMs);
    const missed = Math.min(bucket - this.#bucket, buckets);
    for (let number = bucket - missed + 1; number <= bucket; number += 1) {
      const at = number % buckets;
      this.#states[at] = this.#weight;
      for (const what of counted) {
        this.#totals[what] -= this.#counts[what][at]!;
        this.#counts[what][at] = 0;
      }
    }
    this.#bucket = Math.max(this.#bucket, bucket);
    return this.#bucket % buckets;
  }
}

function weightOf(state: CircuitState): number {
  return bucketStates.indexOf(state) + 1;
}
