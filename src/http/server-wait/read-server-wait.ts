import { headerFields, type HeaderFields } from './header-fields.js';
import { exhaustedResets, isNothingLeft } from './quota-resets.js';
import { Measure } from './measure.js';
import type { WaitUnit } from './values.js';

/** What is read of a response. */
export interface ServerResponse {
  readonly status?: unknown;
  readonly headers?: unknown;
}

/** How to read what a server says. */
export interface ServerWaitOptions {
  /** What the numbers of a header mean, by its name, where they are not in the common unit. */
  readonly units?: Readonly<Record<string, WaitUnit>> | undefined;
  /** Headers of your own that say how long to wait, looked at before all others. */
  readonly headers?: readonly string[] | undefined;
  /**
   * No reading is longer, in ms. More than 0.
   * @default 86_400_000
   */
  readonly maxWait?: number | undefined;
  /**
   * The instant of the reading, in epoch ms; matters only for absolute times without a `Date` header.
   * @default Date.now()
   */
  readonly now?: number | undefined;
}

/** What a server says about when to ask again. */
export interface ServerWait {
  /** How long to wait, in whole ms, 0 or more. */
  readonly ms: number;
  /** The header that says so, in lower case. */
  readonly from: string;
  /** Whether it was an instant of whole seconds, so that the second is over only up to 1 s later. */
  readonly isWholeSecond: boolean;
}

const milliseconds: readonly string[] = [
  'retry-after-ms',
  'x-ms-retry-after-ms',
  'x-amz-retry-after',
];
const waits = [
  ...milliseconds,
  'retry-after',
  'x-ratelimit-reset-after',
  'x-ratelimit-retry-after',
  'x-retry-in',
];

/**
 * Reads how long a server wants not to be asked, from the answer that says so: `Retry-After` in all its
 * forms, the `RateLimit` fields, and what services made of them. `undefined` where it says nothing, and
 * for a status below 400. Never throws, and never gives more than `maxWait`.
 *
 * @example
 * const wait = readServerWait({ status: 429, headers: { 'retry-after': '30' } });
 * console.log(wait?.ms, wait?.from); // 30000 'retry-after'
 */
export function readServerWait(
  response: ServerResponse,
  options: ServerWaitOptions = {},
): ServerWait | undefined {
  const { status, headers } = Object(response) as ServerResponse;
  if (typeof status !== 'number' || !(status >= 400)) return undefined;
  const fields = headerFields(headers);
  const measure = new Measure(fields, options);
  let now: ServerWait | undefined;
  const own = (options.headers ?? []).map((name) => name.toLowerCase());
  for (const name of [...own, ...waits.filter((name) => !belongsToOthers(fields, name))]) {
    const wait = measure.longest(fields, [name], milliseconds.includes(name) ? 'ms' : undefined);
    if (wait !== undefined && wait.ms > 0) return wait;
    // A zero is an answer, but must not hide a longer one.
    now ??= wait;
  }
  return readReset(fields, measure, status === 429) ?? now;
}

/** Whether a wait is that of a quota of which something is left, so not of what refused. */
function belongsToOthers(fields: HeaderFields, name: string): boolean {
  return (
    name === 'x-ratelimit-reset-after' && isNothingLeft(fields, 'x-ratelimit-remaining') === false
  );
}

/**
 * Reads when a quota that has nothing left is filled again, from a *successful* answer. `undefined` where
 * something is left, or no time is given.
 */
export function readExhaustedQuota(
  response: ServerResponse,
  options: ServerWaitOptions = {},
): ServerWait | undefined {
  const fields = headerFields(response.headers);
  return readReset(fields, new Measure(fields, options), false);
}

/** `isLimited`: the status alone says that a quota is used up. */
function readReset(
  fields: HeaderFields,
  measure: Measure,
  isLimited: boolean,
): ServerWait | undefined {
  // What a cache kept for a while says nothing about the quota of now.
  if (measure.age > 0) return undefined;
  for (const reset of exhaustedResets(fields, isLimited)) {
    const wait =
      'seconds' in reset
        ? measure.inSeconds(reset.seconds, reset.from)
        : measure.longest(fields, reset.names, undefined);
    if (wait !== undefined && wait.ms > 0) return wait;
  }
  return undefined;
}
