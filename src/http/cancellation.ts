import type { RequestConfig } from './axios-like.js';

interface CancelLike {
  readonly __CANCEL__?: unknown;
  readonly response?: unknown;
}

/** As `axios.isCancel`, for the errors of any copy of axios. */
export function isCancel(error: unknown): boolean {
  return Boolean((error as CancelLike | null | undefined)?.__CANCEL__);
}

/** Whether a signal was aborted by a deadline, as `AbortSignal.timeout` does it, and not by somebody. */
export function hasTimedOut(signal: unknown): boolean {
  const { aborted, reason } = (signal ?? {}) as { aborted?: unknown; reason?: unknown };
  return aborted === true && (reason as { name?: unknown } | undefined)?.name === 'TimeoutError';
}

/** Whether the caller gave up on the request: by token, or by a signal that is not a deadline's. */
export function isCancelledByCaller(error: unknown, config: RequestConfig): boolean {
  const { signal, cancelToken } = config;
  const tokenReason = (cancelToken as { reason?: unknown } | null | undefined)?.reason;
  if (tokenReason !== undefined && error === tokenReason) return true;
  if (isCancel(error)) return !hasTimedOut(signal);
  // A custom adapter may reject with an error of its own once it is aborted; an answer stays one.
  const hasResponse = Boolean((error as CancelLike | null | undefined)?.response);
  const wasAborted = (signal as { aborted?: unknown } | null | undefined)?.aborted === true;
  return !hasResponse && (tokenReason !== undefined || (wasAborted && !hasTimedOut(signal)));
}
