import { readDate } from './dates.js';

/**
 * What the numbers of a header mean, where they do not follow the common reading: seconds or
 * milliseconds from now, or since 1970.
 */
export type WaitUnit = 's' | 'ms' | 'epoch-s' | 'epoch-ms';

/** When a server says that it wants to be asked again: in so many ms, or at an instant in epoch ms. */
export type WaitValue =
  | { readonly kind: 'delta'; readonly ms: number }
  | { readonly kind: 'instant'; readonly at: number };

const unitMs: Record<string, number> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};
const part = String.raw`(\d+(?:\.\d+)?)(d|h|ms|m|s|us|µs|ns)`;
const duration = new RegExp(`^(?:${part})+$`);

/** Reads every value of a header, of one line or several; what is malformed is left out. */
export function readValues(
  lines: readonly string[],
  unit: WaitUnit | undefined,
  now: number,
): WaitValue[] {
  return (
    lines
      // A comma that an HTTP date has of its own is followed by the day of the month.
      .flatMap((line) => line.split(/,(?! \d{2}[ -][A-Z])/))
      .map((text) => readValue(trim(text), unit, now))
      .filter((value) => value !== undefined)
  );
}

/** A number that is 0 or more and nothing else: no sign, exponent, or digits of other scripts. */
export function readNumber(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** What a number means in this unit; without one, by its size. */
export function readNumberAs(number: number, unit = usualUnit(number)): WaitValue | undefined {
  switch (unit) {
    case 's':
      return { kind: 'delta', ms: number * 1_000 };
    case 'ms':
      return { kind: 'delta', ms: number };
    case 'epoch-s':
      // To whole µs: more than that no double holds.
      return { kind: 'instant', at: Math.round(number * 1e6) / 1e3 };
    case 'epoch-ms':
      return { kind: 'instant', at: number };
    case undefined:
      return undefined;
  }
}

/** Without optional white space, which is spaces and tabs only. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function readValue(text: string, unit: WaitUnit | undefined, now: number): WaitValue | undefined {
  const number = readNumber(text);
  if (number !== undefined) return readNumberAs(number, unit);
  if (duration.test(text)) return { kind: 'delta', ms: durationMs(text) };
  const at = readDate(text, now);
  return at === undefined ? undefined : { kind: 'instant', at };
}

function usualUnit(number: number): WaitUnit | undefined {
  if (number < 1e9) return 's';
  if (number < 1e11) return 'epoch-s';
  return number < 1e14 ? 'epoch-ms' : undefined;
}

function durationMs(text: string): number {
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(new RegExp(part, 'g'))) {
    ms += Number(amount) * (unitMs[unit ?? ''] ?? 0);
  }
  return ms;
}
