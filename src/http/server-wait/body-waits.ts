import type { AxiosResponse } from 'axios';

/** `google.rpc.RetryInfo` among `error.details`, as Google's APIs send it: `"retryDelay": "34.07s"`. */
export function googleRetryInfo(response: AxiosResponse): number | undefined {
  const details = at(response.data, 'error', 'details');
  if (!Array.isArray(details)) return undefined;
  const delays = details.map((detail: unknown) => {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(at(detail, 'retryDelay')))?.[1];
    return wholeMs(Number(seconds), 1_000) ?? 0;
  });
  return Math.max(0, ...delays) || undefined;
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

function wholeMs(amount: unknown, unit: number): number | undefined {
  if (typeof amount !== 'number' || !(amount > 0 && amount < Infinity)) return undefined;
  return Math.ceil(amount * unit - 1e-6);
}
