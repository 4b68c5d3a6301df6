import type { AxiosResponse } from 'axios';
import {
  awsRetryAfter,
  discordRetryAfter,
  googleRetryInfo,
  matrixRetryAfter,
  readServerWait,
  telegramRetryAfter,
  type ServerWaitOptions,
} from '../../../src/index.js';
import recorded from './ratelimit-vectors.json' with { type: 'json' };

/** What a server was seen to answer, and how it is to be read. */
export interface Vector {
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly now: string;
  readonly expectedMs: number | null;
  readonly options?: ServerWaitOptions;
  readonly body?: unknown;
  readonly bodyMs?: number | null;
}

export const vectors = recorded as readonly Vector[];

/** The reading of a vector's headers in ms; `null` where they say nothing. */
export function read({ status, headers, now, options }: Vector): number | null {
  return readServerWait({ status, headers }, { ...options, now: Date.parse(now) })?.ms ?? null;
}

const hooks = [
  googleRetryInfo,
  telegramRetryAfter,
  discordRetryAfter,
  matrixRetryAfter,
  awsRetryAfter,
];

/** The readings of a vector's body by all the hooks that find something in it. */
export function readBody({ status, body }: Vector): number[] {
  const response = { status, data: body } as AxiosResponse;
  return hooks.map((hook) => hook(response)).filter((ms) => ms !== undefined);
}
