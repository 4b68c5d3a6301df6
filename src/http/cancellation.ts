import axios from 'axios';
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

/** Whether the caller no longer waits, for whatever reason. */
export function isAborted({ signal, cancelToken }: RequestConfig): boolean {
  const isOver = (signal as { aborted?: unknown } | null | undefined)?.aborted === true;
  return isOver || (cancelToken as Token | null | undefined)?.reason !== undefined;
}

interface Token {
  readonly reason?: unknown;
  subscribe(listener: () => void): void;
  unsubscribe(listener: () => void): void;
}

/** Calls `cancel` when the caller gives up on the request. Returns a function that returns the one to let go. */
export function cancellation(config: RequestConfig): (cancel: () => void) => () => void {
  const signal = config.signal as AbortSignal | null | undefined;
  const token = config.cancelToken as Token | null | undefined;
  return (cancel) => {
    if (signal?.aborted === true || token?.reason !== undefined) {
      cancel();
      return () => undefined;
    }
    signal?.addEventListener('abort', cancel);
    token?.subscribe(cancel);
    return () => {
      signal?.removeEventListener('abort', cancel);
      token?.unsubscribe(cancel);
    };
  };
}

/** The error that axios itself would reject with. */
export function cancelled(config: RequestConfig): unknown {
  const token = config.cancelToken as Token | null | undefined;
  return token?.reason ?? new axios.CanceledError(undefined, config as never);
}
