import type { HeaderFields } from './header-fields.js';
import { parseDictionary, parseList } from './structured-field.js';
import { readNumber, trim } from './values.js';

/** Where a quota that is used up says when it is filled again: in headers, or in so many seconds. */
export type Reset =
  { readonly names: readonly string[] } | { readonly seconds: number; readonly from: string };

/** Pairs of a reset and what says how much is left. */
const single = [
  ['x-ratelimit-reset-after', 'x-ratelimit-remaining'],
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
  const seconds = exhaustedTimes(fields).reduce((longest, time) => Math.max(longest, time), 0);
  if (seconds > 0) resets.push({ seconds, from: 'ratelimit' });
  for (const [reset, remaining] of single) {
    if (isNothingLeft(fields, remaining) ?? isLimited) resets.push({ names: [reset] });
  }
  const names = [...fields.keys()].filter((name) =>
    families.some(([pattern, remainingOf]) => {
      const what = pattern.exec(name)?.[1];
      return what !== undefined && isNothingLeft(fields, remainingOf(what)) === true;
    }),
  );
  return [...resets, { names }];
}

/** Whether any header says that nothing is left of a quota. */
export function saysNothingLeft(fields: HeaderFields): boolean {
  const names = [...fields.keys()].filter((name) => anyRemaining.test(name));
  return names.some((name) => isNothingLeft(fields, name)) || exhaustedTimes(fields).length > 0;
}

/** `undefined` where the header is absent or malformed. */
export function isNothingLeft(fields: HeaderFields, name: string): boolean | undefined {
  const numbers = (fields.get(name) ?? [])
    .flatMap((line) => line.split(','))
    // Some write the window behind it: `0;w=60`.
    .map((text) => readNumber(trim(text.split(';', 1)[0] ?? '')))
    .filter((number) => number !== undefined);
  return numbers.length === 0 ? undefined : numbers.includes(0);
}

/** Of each quota in a `RateLimit` field that is used up, the seconds until it is filled; -1 where that is not said. */
function exhaustedTimes(fields: HeaderFields): number[] {
  const field = (fields.get('ratelimit') ?? []).join(', ');
  const times = (parseList(field) ?? [])
    .filter(({ parameters }) => parameters.get('r') === 0)
    .map(({ parameters }) => parameters.get('t'));
  // Its older form.
  const dictionary = parseDictionary(field);
  if (dictionary?.get('remaining')?.value === 0) times.push(dictionary.get('reset')?.value);
  return times.map((time = -1) => (Number.isInteger(time) ? time : -1));
}
