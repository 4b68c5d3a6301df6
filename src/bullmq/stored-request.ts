import { ownFields } from '../own-fields.js';
import type { QueuedRequest } from '../fallback/queued-request.js';
import type { Targets } from './targets.js';

/** What a stored request may say. */
export interface StoredRules {
  readonly targets: Targets;
  /** The names of the headers that it may set, in lower case. */
  readonly headers: ReadonlySet<string>;
}

const method = /^[A-Z][A-Z-]{0,30}$/;
const tunnelling = ['CONNECT', 'TRACE'];
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The request that a job holds, checked: whoever can write to Redis may have written it.
 *
 * @throws Error that says what is wrong with it, and shows no value.
 */
export function readStoredRequest(stored: unknown, rules: StoredRules): QueuedRequest {
  if (!isObject(stored)) throw new Error('It holds no request');
  const fields = ownFields(stored);
  const url = rules.targets.resolve(fields['url']);
  const { params, data } = fields;
  if (!isMethod(fields['method'])) throw new Error('Its `method` is none of HTTP in upper case');
  if (params !== undefined && !Object.is(Object(params), params)) {
    throw new Error('Its `params` are no object');
  }
  // Merged by axios, this key would replace a prototype.
  if (hasProto(params) || hasProto(data)) throw new Error('It has a key named __proto__');
  return {
    method: fields['method'],
    url,
    ...(params !== undefined && { params }),
    ...(data !== undefined && { data }),
    headers: headersOf(fields['headers'], rules.headers),
  };
}

function headersOf(stored: unknown, allowed: ReadonlySet<string>): Record<string, string> {
  if (!isObject(stored)) throw new Error('Its `headers` are no object');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(stored)) {
    if (!allowed.has(name)) throw new Error('It has a header that `headers` does not name');
    if (typeof value !== 'string' || !headerValue.test(value)) {
      throw new Error(`Its header ${name} has no value for a header`);
    }
    headers[name] = value;
  }
  if (!headers['idempotency-key']) throw new Error('It has no Idempotency-Key');
  return headers;
}

function isMethod(value: unknown): value is string {
  return typeof value === 'string' && method.test(value) && !tunnelling.includes(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto);
}
