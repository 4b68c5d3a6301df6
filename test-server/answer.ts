import {
  STATUS_CODES,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { type Behaviour, behaviours } from './behaviours.js';

export interface Answer {
  /** @default 200 */
  readonly status?: number;
  /** A list sends the header once per value; an empty list removes one that is there by default, as `Date` is. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** JSON, unless it is a string or a Buffer. @default { status, message } */
  readonly body?: unknown;
  /** Milliseconds before the headers. @default 0 */
  readonly delay?: number;
  /**
   * - `silent` never answers
   * - `silent-body` sends the headers and half of the body, then nothing more
   * - `drip` sends the body in `dripChunks` chunks, one every `dripEvery` ms
   * - `cut` closes the socket after half of the body
   * - `reset` resets the socket instead of answering
   *
   * @default 'whole'
   */
  readonly behaviour?: Behaviour;
  /** @default 10 */
  readonly dripEvery?: number;
  /** A body of fewer bytes is padded with spaces. @default 10 */
  readonly dripChunks?: number;
}

export type Send = (res: ServerResponse) => void;

/** @throws RangeError or TypeError for an answer that cannot be sent. */
export function prepare(answer: Answer | number): Send {
  const given: Answer = typeof answer === 'number' ? { status: answer } : answer;
  const { status = 200, delay = 0, behaviour = 'whole', dripEvery = 10, dripChunks = 10 } = given;
  expectInteger('status', status, 200, 999);
  expectInteger('delay', delay, 0);
  expectInteger('dripEvery', dripEvery, 1);
  expectInteger('dripChunks', dripChunks, 1);
  if (!Object.hasOwn(behaviours, behaviour)) {
    throw new RangeError(`Expected \`behaviour\` to be a known one, got ${behaviour}`);
  }

  const bodiless = status === 204 || status === 304;
  const { body = { status, message: STATUS_CODES[status] } } = given;
  const bytes = bodiless ? Buffer.alloc(0) : bytesOf(body);
  const headers = new Map<string, string | readonly string[]>();
  if (!bodiless) headers.set('content-type', contentTypeOf(body));
  if (!bodiless && behaviour !== 'drip') headers.set('content-length', String(bytes.length));
  for (const [name, value] of Object.entries(given.headers ?? {})) {
    validateHeaderName(name);
    for (const line of [value].flat()) validateHeaderValue(name, line);
    headers.set(name.toLowerCase(), value);
  }

  const send: Send = (res) => {
    res.statusCode = status;
    for (const [name, value] of headers) {
      if (value.length === 0 && typeof value !== 'string') res.removeHeader(name);
      else res.setHeader(name, value);
    }
    behaviours[behaviour](res, bytes, { dripEvery, dripChunks });
  };
  return delay === 0 ? send : later(send, delay);
}

function later(send: Send, delay: number): Send {
  return (res) => {
    const timer = setTimeout(send, delay, res);
    res.once('close', () => clearTimeout(timer));
  };
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function contentTypeOf(body: unknown): string {
  if (Buffer.isBuffer(body)) return 'application/octet-stream';
  return typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
}

function expectInteger(name: string, value: number, from: number, to = 2 ** 31 - 1): void {
  if (!Number.isInteger(value) || value < from || value > to) {
    throw new RangeError(`Expected \`${name}\` to be an integer of ${from} to ${to}, got ${value}`);
  }
}
