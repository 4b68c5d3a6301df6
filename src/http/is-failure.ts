import { isRefusal } from '../errors.js';
import { hasTimedOut, isCancel } from './cancellation.js';
import { headerFields } from './server-wait/header-fields.js';
import { saysNothingLeft } from './server-wait/quota-resets.js';

interface ErrorLike {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly config?: { readonly signal?: unknown; readonly validateStatus?: unknown } | null;
  readonly response?: { readonly status?: unknown; readonly headers?: unknown } | null;
}

/** Set off by the request itself or by a limit of the caller's, whatever the server does. */
const callersCodes = new Set([
  'ERR_BAD_OPTION',
  'ERR_BAD_OPTION_VALUE',
  'ERR_NOT_SUPPORT',
  'ERR_FR_TOO_MANY_REDIRECTS',
  'ERR_FR_MAX_BODY_LENGTH_EXCEEDED',
  'ERR_SOCKET_BAD_PORT',
  'ERR_UNESCAPED_CHARACTERS',
  'ERR_HTTP_INVALID_HEADER_VALUE',
  'UND_ERR_INVALID_ARG',
]);

/** Faults of the caller that fetch gives no code. */
const fetchFaults = [
  /^(redirect count exceeded|unknown scheme)$/,
  /^Request cannot be constructed from a URL /,
  /^Cannot convert argument to a ByteString /,
  /^Headers\.append: /,
  / is not a valid HTTP method\.$/,
];

/** Of a connection that ended, or a body that broke, before the answer was whole. */
const brokenCodes = new Set([
  'ECONNABORTED',
  'ETIMEDOUT',
  'ECONNRESET',
  'EPIPE',
  'ERR_NETWORK',
  'Z_BUF_ERROR',
  'Z_DATA_ERROR',
]);

/**
 * Whether an error is the server's failure: no answer (network error, timeout, a connection cut in
 * the middle of a body), a status of 500 or more, 429, or a 403 that is rate-limit shaped (with
 * `Retry-After`, or nothing remaining). Not: other statuses, the caller's cancellation, limits such
 * as `maxContentLength` and `maxRedirects`, and faults before the wire such as an invalid URL.
 *
 * The default `errorHandler`; compose your own with it. Never throws.
 *
 * @example
 * const errorHandler = (error: unknown) => isFailure(error) && !isMaintenanceWindow();
 */
export function isFailure(error: unknown): boolean {
  if (isRefusal(error)) return false;
  const { config, response } = asErrorLike(error);
  if (isCancel(error)) return hasTimedOut(config?.signal);
  if (isCallersFault(error)) return false;
  if (!hasAnswered(error)) return true;
  const status = Number(response?.status);
  return (
    status >= 500 || status === 429 || (status === 403 && isRateLimitShaped(response?.headers))
  );
}

/** Whether the server answered in full: a status, and a body that was not cut. */
export function hasAnswered(error: unknown): boolean {
  const { code, config, response } = asErrorLike(error);
  const status = response?.status;
  // Old axios gives network errors of the browser a dummy response with status 0.
  if (typeof status !== 'number' || status === 0) return false;
  if (brokenCodes.has(String(code))) return false;
  if (code !== 'ERR_BAD_RESPONSE') return true;
  // So axios names a cut body, whatever its status, and a rejected status that is no 4xx.
  return Math.floor(status / 100) !== 4 && !accepts(config, status);
}

/** Whether a refusing answer is about how often one asks. */
export function isRateLimitShaped(headers: unknown): boolean {
  const fields = headerFields(headers);
  return fields.has('retry-after') || saysNothingLeft(fields);
}

function isCallersFault(error: unknown): boolean {
  const { code, message, cause, response } = asErrorLike(error);
  if (code === 'ERR_BAD_REQUEST' && !response) return true;
  // axios 0.27 to 1.1 say that a limit of -1 was exceeded when the connection was cut.
  if (/^maxContentLength size of (?!-1 )/.test(String(message))) return true;
  // What fetch says of it stands up to two causes deep.
  const reasons = [error, cause, asErrorLike(cause).cause].map(asErrorLike);
  return reasons.some((reason) => isCallersCode(reason.code) || isFetchFault(reason.message));
}

function isCallersCode(code: unknown): boolean {
  return typeof code === 'string' && (code.startsWith('ERR_INVALID_') || callersCodes.has(code));
}

function isFetchFault(message: unknown): boolean {
  return typeof message === 'string' && fetchFaults.some((fault) => fault.test(message));
}

function accepts(config: ErrorLike['config'], status: number): boolean {
  const validate = config?.validateStatus;
  if (typeof validate !== 'function') return true;
  try {
    return Boolean((validate as (status: number) => unknown)(status));
  } catch {
    return true;
  }
}

function asErrorLike(error: unknown): ErrorLike {
  return typeof error === 'object' && error !== null ? error : {};
}
