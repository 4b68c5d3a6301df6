import { describe } from './describe.js';
import { nearest } from './nearest.js';
import { ownFields } from './own-fields.js';

/** Says what a value should have been; nothing when it is that. */
export type Check = (
  value: unknown,
) => { readonly expected: string; readonly ofType: string } | undefined;

type ErrorConstructor = TypeErrorConstructor | RangeErrorConstructor;

export const number =
  (expected: string, holds: (value: number) => boolean): Check =>
  (value) =>
    typeof value === 'number' && holds(value) ? undefined : { expected, ofType: 'number' };

export const ofType =
  (type: string, expected: string, holds: (value: unknown) => boolean = () => true): Check =>
  (value) =>
    typeof value === type && value !== null && holds(value)
      ? undefined
      : { expected, ofType: type };

export const text = ofType('string', 'a string that is not empty', (value) => value !== '');

export const callback = ofType('function', 'a function');

const clockParts = ['now', 'setTimeout', 'clearTimeout'];
export const clock = ofType('object', 'an object with now, setTimeout and clearTimeout', (value) =>
  clockParts.every((part) => typeof (value as Record<string, unknown>)[part] === 'function'),
);

export const positive = number('a number of milliseconds above 0', (value) => value > 0);

export const count = number(
  'an integer of at least 1',
  (value) => Number.isSafeInteger(value) && value > 0,
);

/** Of things for which memory is taken at once. */
export const capacity = number(
  'an integer from 1 to 1000000',
  (value) => Number.isInteger(value) && value >= 1 && value <= 1_000_000,
);

export const names = (expected: string): Check =>
  ofType(
    'object',
    expected,
    (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  );

/**
 * The options that a caller wrote, and none that a polluted prototype adds.
 *
 * @throws TypeError or RangeError where there is no object, or an option is unknown or bad.
 */
export function readOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<string, Check>>,
): Options {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) fail('options', 'an object', given, TypeError);
  checkEach('', options, known);
  return ownFields(options);
}

/** @throws TypeError or RangeError where an option is unknown or bad. */
export function checkEach(
  prefix: string,
  options: object,
  known: Readonly<Record<string, Check>>,
  otherNames?: ReadonlyMap<string, string>,
): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (check === undefined) {
      const shown = name.slice(0, 100);
      const meant = nearest(otherNames?.get(name) ?? shown, Object.keys(known));
      throw new TypeError(
        `Unknown option \`${prefix}${shown}\`. Did you mean \`${prefix}${meant}\`?`,
      );
    }
    if (value === undefined) continue;
    const wrong = check(value);
    if (wrong === undefined) continue;
    const ErrorType = typeof value === wrong.ofType && value !== null ? RangeError : TypeError;
    fail(`${prefix}${name}`, wrong.expected, value, ErrorType);
  }
}

export function fail(
  name: string,
  expected: string,
  got: unknown,
  ErrorType: ErrorConstructor,
): never {
  throw new ErrorType(`Expected \`${name}\` to be ${expected}, got ${describe(got)}`);
}
