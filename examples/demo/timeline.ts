import type { CircuitState, OpenReason } from '../../src/index.js';

/** What the demo plays, in milliseconds of life. */
export const scenario = {
  requestEvery: 2_000,
  cooldown: 10_000,
  /** The last one comes after the third opening has ended, whether 4 or 5 were refused each time. */
  requests: 31,
};

/** `at` is in milliseconds since the first request was made. */
export type Entry = RequestEntry | OpenEntry | CloseEntry;

export interface RequestEntry {
  readonly type: 'request';
  readonly at: number;
  /** Counted from 1, refused ones too. */
  readonly number: number;
  /** What the server answered, unless nothing was sent. */
  readonly answer: number | 'refused';
  /** What the breaker is after it. */
  readonly state: CircuitState;
}

export interface OpenEntry {
  readonly type: 'OPEN';
  readonly at: number;
  readonly reason: OpenReason;
  readonly cooldownMs: number;
}

export interface CloseEntry {
  readonly type: 'CLOSE';
  readonly at: number;
  readonly openForMs: number;
}

export interface Timeline {
  readonly entries: readonly Entry[];
  /** How many requests the server counted. */
  readonly hits: number;
}

export interface Summary {
  readonly requests: number;
  readonly sent: number;
  readonly refused: number;
  readonly opened: number;
  readonly closed: number;
  readonly hits: number;
  /** When the last entry was made. */
  readonly endedAt: number;
}

export function summarize({ entries, hits }: Timeline): Summary {
  const requests = entries.filter((entry) => entry.type === 'request');
  const refused = requests.filter(({ answer }) => answer === 'refused').length;
  return {
    requests: requests.length,
    sent: requests.length - refused,
    refused,
    opened: entries.filter(({ type }) => type === 'OPEN').length,
    closed: entries.filter(({ type }) => type === 'CLOSE').length,
    hits,
    endedAt: entries.at(-1)?.at ?? 0,
  };
}

export type Outcome = 'success' | 'error' | 'rate-limited' | 'refused';

export function outcomeOf({ answer }: RequestEntry): Outcome {
  if (answer === 'refused') return 'refused';
  if (answer === 429) return 'rate-limited';
  return answer >= 400 ? 'error' : 'success';
}
