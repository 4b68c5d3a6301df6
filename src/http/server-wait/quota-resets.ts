import type { HeaderFields } from './header-fields.js';
import { parseDictionary, parseList } from './structured-field.js';
import { readNumber, trim } from './values.js';

/** Where a quota that is used up says when it is filled again: in headers, or in so many seconds. */
export type Reset =
  { readonly names: readonly string[] } | { readonly seconds: number; readonly from: string };

/** Pairs of a reset and what says how much is left. */
const single = [
  ['ratelimit-reset', 'ratelimit-remaining'],
  ['x-ratelimit-reset', 'x-ratelimit-remaining'],
  ['x-rate-limit-reset', 'x-rate-limit-remaining'],
] as const;

/** Families of resets, one for each thing that is limited. */
const families = [
  [/^x-ratelimit-reset-(.+)$/, (what: string) => `x-ratelimit-remaining-${what}`],
  [/^x-ratelimit-(.+)-reset$/, (what: string) => `x-ratelimit-${what}-remaining`],
  [/^anthropic-ratelimit-(.+)-reset$/, (what: string) => `anthropic-ratelimit-${what}-remaining`],
] as const;

const anyRemaining = /^(x-rate-?limit|ratelimit|anthropic-ratelimit)-(.+-)?remaining(-.+)?$/;

/**
 * The resets of what is used up, in the order in which they are asked. `isLimited`: where nothing says
 * how much is left, the status does.
 */
export function exhaustedResets(fields: HeaderFields, isLimited: boolean): Reset[] {
  const resets: Reset[] = [];
  const seconds = Math.max(...exhaustedTimes(fields));
  if (seconds > 0) resets.push({ seconds, from: 'ratelimit' });
  for (const [reset, remaining] of single) {
    if (isNothingLeft(fields, remaining) ?? isLimited) resets.push({ names: [reset] });
  }
  for (const [pattern, remainingOf] of families) {
    const names = [...fields.keys()].filter((name) => {
      const what = pattern.exec(name)?.[1];
      return what !== undefined && isNothingLeft(fields, remainingOf(what)) === true;
    });
    if (names.length > 0) resets.push({ names });
  }
  return resets;
}

/** Whether any header says that nothing is left of a quota. */
export function saysNothingLeft(fields: HeaderFields): boolean {
  const names = [...fields.keys()].filter((name) => anyRemaining.test(name));
  return names.some((name) => isNothingLeft(fields, name)) || exhaustedTimes(fields).length > 0;
}

/** `undefined` where the header is absent or malformed. */
function isNothingLeft(fields: HeaderFields, name: string): boolean | undefined {
  const numbers = (fields.get(name) ?? [])
    .flatMap((line) => line.split(','))
    .map((text) => readNumber(trim(text)))
    .filter((number) => number !== undefined);
  return numbers.length === 0 ? undefined : numbers.includes(0);
}

/** Of each quota in a `RateLimit` field that is used up, the seconds until it is filled; -1 where that is not said. */
function exhaustedTimes(fields: HeaderFields): number[] {
  const field = (fields.get('ratelimit') ?? []).join(', ');
  const times: number[] = [];
  for (const { parameters } of parseList(field) ?? []) {
    if (parameters.get('r') === 0) times.push(parameters.get('t') ?? -1);
  }
  // Its older form.
  const dictionary = parseDictionary(field);
  if (dictionary?.get('remaining')?.value === 0) times.push(dictionary.get('reset')?.value ?? -1);
  return times;
}
