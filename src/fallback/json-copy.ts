import { describe } from '../describe.js';

/**
 * A copy of `value` by way of JSON. `encoding`: what axios makes of it in the end; of a form it writes
 * some things otherwise than JSON does.
 *
 * @throws TypeError that names what JSON, or such a form, cannot carry.
 */
export function jsonCopy(name: string, value: unknown, encoding: 'json' | 'form'): unknown {
  if (value === undefined) return undefined;
  const misfit = (given: unknown, at = '') => {
    const place = at && ` at ${at}`;
    return new TypeError(`Expected \`${name}\` to be plain data, got ${nameOf(given)}${place}`);
  };
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, made: unknown) {
    const given = this[key];
    const fits = encoding === 'json' ? isJson(given) : isForm(given, given === value);
    if (fits && typeof made !== 'bigint') return made;
    throw misfit(given, key);
  }) as string | undefined;
  if (text === undefined) throw misfit(value);
  return JSON.parse(text) as unknown;
}

/** The class of a built-in object, of whatever realm. */
export function classOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  // A Buffer has a toJSON that makes an object of it.
  if (ArrayBuffer.isView(value) || isStream(value)) return false;
  return ['Object', 'Array', 'Date'].includes(classOf(value)) || hasToJson(value);
}

function isForm(value: unknown, isRoot: boolean): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (['Array', 'Date'].includes(classOf(value))) return true;
  return isJson(value) && !hasToJson(value) && (isRoot || isPlain(value));
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isStream(value: object): boolean {
  return typeof (value as { pipe?: unknown }).pipe === 'function';
}

function hasToJson(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
}

function nameOf(value: unknown): string {
  // The value itself is the caller's, and may be nobody else's business.
  if (typeof value === 'bigint') return 'a bigint';
  if (typeof value !== 'object' || value === null) return describe(value);
  const { name = classOf(value) } = (value.constructor as { name?: string } | undefined) ?? {};
  return `an object of the class ${name}`;
}
