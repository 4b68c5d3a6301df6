/** Headers by their names in lower case, each with its lines. */
export type HeaderLines = ReadonlyMap<string, readonly string[]>;

/** All that would be sent, or came, in whatever form axios and its mocks have it. */
export function headerLines(headers: unknown): HeaderLines {
  const lines = new Map<string, string[]>();
  for (const [name, value] of entriesOf(headers)) {
    if (value === undefined || value === null || value === false) continue;
    const key = name.toLowerCase();
    const added = [value].flat().map((line) => String(line as number).trim());
    lines.set(key, [...(lines.get(key) ?? []), ...added]);
  }
  return lines;
}

function entriesOf(headers: unknown): [string, unknown][] {
  const { toJSON, entries } = Object(headers) as Partial<Record<'toJSON' | 'entries', unknown>>;
  // The AxiosHeaders of 1.0 and 1.1 have those of the defaults elsewhere than in their own properties.
  if (typeof toJSON === 'function') return Object.entries(toJSON.call(headers) as object);
  if (typeof entries === 'function') return [...(headers as Map<string, unknown>).entries()];
  return Object.entries(Object(headers) as object);
}
