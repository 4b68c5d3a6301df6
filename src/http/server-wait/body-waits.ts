import type { AxiosResponse } from 'axios';

/** `google.rpc.RetryInfo` among `error.details`, as Google's APIs send it: `"retryDelay": "34.07s"`. */
export function googleRetryInfo(response: AxiosResponse): number | undefined {
  const details = at(response.data, 'error', 'details');
  if (!Array.isArray(details)) return undefined;
  const waits = details
    .map((detail: unknown) => wholeMs(secondsOf(at(detail, 'retryDelay')), 1_000))
    .filter((ms) => ms !== undefined);
  return waits.length === 0 ? undefined : waits.reduce((one, other) => Math.max(one, other));
}

/** `parameters.retry_after` in seconds, as Telegram's Bot API sends it. */
export function telegramRetryAfter(response: AxiosResponse): number | undefined {
  return wholeMs(at(response.data, 'parameters', 'retry_after'), 1_000);
}

/** `retry_after` in seconds, as Discord sends it (from its API version 8 on). */
export function discordRetryAfter(response: AxiosResponse): number | undefined {
  return wholeMs(at(response.data, 'retry_after'), 1_000);
}

/** `retry_after_ms`, as Matrix homeservers send it. */
export function matrixRetryAfter(response: AxiosResponse): number | undefined {
  return wholeMs(at(response.data, 'retry_after_ms'), 1);
}

/** `retryAfterSeconds`, as some services of AWS send it. */
export function awsRetryAfter(response: AxiosResponse): number | undefined {
  return wholeMs(at(response.data, 'retryAfterSeconds'), 1_000);
}

/** What stands at a path of own properties. */
function at(data: unknown, ...path: string[]): unknown {
  let found = data;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** Of a duration as Protocol Buffers write it: `34.07s`. */
function secondsOf(duration: unknown): number {
  return typeof duration === 'string' ? Number(/^(\d+(?:\.\d+)?)s$/.exec(duration)?.[1]) : NaN;
}

function wholeMs(amount: unknown, unit: number): number | undefined {
  if (typeof amount !== 'number' || !(amount > 0 && amount < Infinity)) return undefined;
  // What only floating point adds is no millisecond.
  return Math.max(1, Math.ceil(amount * unit - 1e-6));
}
