/** Longer than any value that says how long to wait. */
const longest = 8_192;

/** The headers of a response by their names in lower case, each with its lines. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

/**
 * Takes headers in any form that axios and its mocks give them, and those of fetch: whatever is no text
 * or number is absent.
 */
export function headerFields(headers: unknown): HeaderFields {
  const fields = new Map<string, string[]>();
  if (typeof headers !== 'object' || headers === null) return fields;
  for (const [name, value] of entriesOf(headers)) {
    const lines = linesOf(value);
    if (typeof name !== 'string' || lines.length === 0) continue;
    const key = name.toLowerCase();
    fields.set(key, [...(fields.get(key) ?? []), ...lines]);
  }
  return fields;
}

function entriesOf(headers: object): Iterable<[unknown, unknown]> {
  // A `Headers` or a `Map` has them elsewhere than in properties of its own.
  const { entries } = headers as Partial<Map<unknown, unknown>>;
  return typeof entries === 'function' ? entries.call(headers) : Object.entries(headers);
}

function linesOf(value: unknown): readonly string[] {
  const lines: unknown[] = Array.isArray(value) ? value.slice(0, 100) : [value];
  return lines
    .filter((line) => typeof line === 'string' || typeof line === 'number')
    .map(String)
    .filter((line) => line.length <= longest);
}
