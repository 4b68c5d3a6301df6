import type { AxiosResponse } from 'axios';
import { fallbackResponse, type FallbackAnswer } from '../fallback/fallback.js';
import type { Clock } from '../circuit/clock.js';
import { isRateLimitShaped } from '../http/is-failure.js';
import type { Asked } from './asked.js';
import { copyOf } from './copy.js';
import { headerLines, type HeaderLines } from './header-lines.js';

/** When a request was sent. */
export interface Sent {
  /** Among those of `Answers`. */
  readonly moment: number;
  /** By `clock`, in ms. */
  readonly at: number;
  /** Of the breaker that sent it: one that serves the answer may have another. */
  readonly clock: Clock;
}

/** An answer that may be served again, and shares nothing with the one that the caller got. */
export interface Kept {
  readonly data: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers of the request by which it varies, in lower case and in order. */
  readonly varying: readonly string[];
  /** How old it was when it came, in ms. */
  readonly ageThen: number;
  readonly sent: Sent;
}

/** Nothing where an answer must not be kept, or cannot be. */
export function keep(asked: Asked, sent: Sent, response: AxiosResponse): Kept | undefined {
  const { status } = response;
  const fields = headerLines(response.headers);
  const varying = tokens(fields, 'vary');
  const mayKeep =
    isGood(status, asked) &&
    !varying.includes('*') &&
    !says(fields, 'no-store') &&
    (asked.credentials.identify || !isPersonal(fields, varying));
  const copy = mayKeep ? copyOf(response.data) : undefined;
  if (copy === undefined) return undefined;
  const headers = withoutCookies(fields);
  const ageThen = Number(/\d+/.exec(String(fields.get('age')))?.[0] ?? 0) * 1_000;
  return { ...copy, status, headers, varying, ageThen, sent };
}

/**
 * How old an answer is, in ms, if it was made when it was asked for; `Infinity` where the clock went back
 * and cannot tell.
 */
export function ageOf({ ageThen, sent }: Kept): number {
  const elapsed = sent.clock.now() - sent.at;
  return elapsed >= 0 ? ageThen + elapsed : Infinity;
}

/** What a caller gets, to do with as it likes. */
export function answerWith({ data, status, headers }: Kept, age: number): FallbackAnswer {
  const response = fallbackResponse({
    data: copyOf(data)?.data,
    status,
    headers: { ...headers, age: String(Math.ceil(age / 1_000)) },
  });
  return { kind: 'stale', response };
}

/** Whether an answer says that there is nothing any more, or not for who asked. */
export function isGone(response: unknown): boolean {
  const { status, headers } = Object(response) as Partial<AxiosResponse>;
  return (
    [401, 403, 404, 410].includes(Number(status)) && !(status === 403 && isRateLimitShaped(headers))
  );
}

/** An answer that axios fulfils, and whole. */
function isGood(status: number, { validateStatus }: Asked): boolean {
  return (
    status >= 200 && status < 300 && status !== 206 && (!validateStatus || validateStatus(status))
  );
}

/** Meant for one user: the server says so, gives a session along, or looks at what a browser adds. */
function isPersonal(fields: HeaderLines, varying: readonly string[]): boolean {
  const isBrowser = 'location' in globalThis;
  const isUnseen = varying.includes('cookie') || varying.includes('authorization');
  return says(fields, 'private') || fields.has('set-cookie') || (isBrowser && isUnseen);
}

function says(fields: HeaderLines, directive: string): boolean {
  return tokens(fields, 'cache-control').some((token) => token.split(/[\s=;]/)[0] === directive);
}

function tokens(fields: HeaderLines, name: string): string[] {
  const lines = fields.get(name) ?? [];
  const found = lines.flatMap((line) => line.toLowerCase().split(',')).map((token) => token.trim());
  return [...new Set(found.filter(Boolean))].sort();
}

function withoutCookies(fields: HeaderLines): Record<string, string> {
  const others = [...fields].filter(([name]) => !name.startsWith('set-cookie'));
  return Object.fromEntries(others.map(([name, lines]) => [name, lines.join(', ')]));
}
