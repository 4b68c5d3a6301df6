import { summarize } from '../circuit/error-summary.js';
import { isBreakerOpenError, isRefusal } from '../errors.js';
import { isRateLimitShaped } from '../http/is-failure.js';
import { readServerWait } from '../http/server-wait/read-server-wait.js';

/** What came of one try. */
export type Outcome =
  | { readonly kind: 'done'; readonly status: number }
  /** Nothing against the request; `ms`: how long not to send any. */
  | { readonly kind: 'pause'; readonly ms: number }
  /** `message` tells of no body and no credential. */
  | { readonly kind: 'retry'; readonly message: string }
  | { readonly kind: 'final'; readonly message: string };

interface Answer {
  readonly status?: unknown;
  readonly headers?: unknown;
  /** Whose answer it is, where it is not the server's. */
  readonly fallback?: unknown;
}

/**
 * About the client's credentials, the time, or the server, rather than the request. 409 is what a server
 * says while it still works on a request with the same Idempotency-Key.
 */
const passing = new Set([401, 403, 407, 408, 409, 425]);

/** `seen`: the status at the wire, whatever interceptors made of the answer. */
export function outcomeOfAnswer(answer: unknown, seen: number | undefined): Outcome {
  const { status, fallback, headers } = Object(answer) as Answer;
  const given = typeof status === 'number' && fallback === undefined ? status : undefined;
  return ofStatus(seen ?? given, { headers }, 'No answer of the server');
}

/** Of what the client threw. */
export function outcomeOfError(error: unknown, seen: number | undefined): Outcome {
  if (isRefusal(error)) {
    return { kind: 'pause', ms: isBreakerOpenError(error) ? error.retryAfterMs : 0 };
  }
  const { response, isAxiosError } = Object(error) as { response?: Answer; isAxiosError?: true };
  const summary = summarize(error);
  const message = ['No answer', summary.code, summary.message].filter(Boolean).join(': ');
  // What an interceptor made of an error need not tell of the answer.
  const status = summary.status ?? (isAxiosError ? undefined : seen);
  if (status !== undefined && status >= 200 && status < 300) return { kind: 'retry', message };
  return ofStatus(status, response, message);
}

function ofStatus(status: number | undefined, answer: Answer = {}, otherwise: string): Outcome {
  // Status 0 is what old axios makes of a network error in browsers.
  if (!status) return { kind: 'retry', message: otherwise };
  if (status >= 200 && status < 300) return { kind: 'done', status };
  const wait = readServerWait({ status, headers: answer.headers });
  const isLimit = status === 429 || (status === 403 && isRateLimitShaped(answer.headers));
  if (isLimit || (status === 503 && wait !== undefined)) {
    const { ms = 0, isWholeSecond = false } = wait ?? {};
    return { kind: 'pause', ms: isWholeSecond ? ms + 1_000 : ms };
  }
  const kind = status >= 500 || passing.has(status) ? 'retry' : 'final';
  return { kind, message: `The server answered ${status}` };
}
