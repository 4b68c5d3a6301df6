import { describe } from './describe.js';
import { nearest } from './nearest.js';

/** Says what a value should have been; nothing when it is that. */
export type Check = (
  value: unknown,
) => { readonly expected: string; readonly ofType: string } | undefined;

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

/** What users of other breakers write, where spelling alone would lead elsewhere. */
const otherNames = new Map<string, string>([
  ['timeoutMs', 'requestTimeout'],
  ['resetTimeout', 'cooldown'],
  ['errorThresholdPercentage', 'failureThreshold'],
  ['threshold', 'failureThreshold'],
  ['volumeThreshold', 'minimumCalls'],
]);

/** @throws TypeError or RangeError where an option is unknown or bad. */
export function checkEach(prefix: string, options: object, known: Record<string, Check>): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (check === undefined) {
      const meant = nearest(otherNames.get(name) ?? name, Object.keys(known));
      throw new TypeError(
        `Unknown option \`${prefix}${name}\`. Did you mean \`${prefix}${meant}\`?`,
      );
    }
    if (value === undefined) continue;
    const wrong = check(value);
    if (wrong === undefined) continue;
    const ErrorType = typeof value === wrong.ofType && value !== null ? RangeError : TypeError;
    fail(`${prefix}${name}`, wrong.expected, value, ErrorType);
  }
}

/** @throws the error that says what an option should have been. */
export function fail(
  name: string,
  expected: string,
  got: unknown,
  ErrorType: TypeErrorConstructor | RangeErrorConstructor,
): never {
  throw new ErrorType(`Expected \`${name}\` to be ${expected}, got ${describe(got)}`);
}
