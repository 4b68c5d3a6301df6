/** The value of a header in any form that axios and its mocks give; `undefined` when it is not there. */
export function readHeader(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  for (const [key, value] of Object.entries(headers) as [string, unknown][]) {
    if (key.toLowerCase() !== name) continue;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(', ');
  }
  return undefined;
}
