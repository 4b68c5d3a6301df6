/** A value as an error message shows it: short, and safe whatever it is. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  if (typeof value === 'bigint') return `${value.toString()}n`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.slice(0, 5).map(describeItem).join(', ')}]`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A list may hold itself. */
const describeItem = (item: unknown) => (Array.isArray(item) ? 'a list' : describe(item));
