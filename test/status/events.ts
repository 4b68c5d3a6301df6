import type { News } from '../../src/status/live.js';

/** A reader of server-sent events, as `EventSource` is one. */
export interface Events {
  readonly response: Response;
  /** The next event of that name; `undefined` where the stream has ended. */
  next(name: 'rows'): Promise<News | undefined>;
  next(name: 'beat'): Promise<unknown>;
  close(): void;
}

export async function openEvents(url: string): Promise<Events> {
  const abort = new AbortController();
  const response = await fetch(`${url}/events`, { signal: abort.signal });
  const events = read(response);
  const next = async (wanted: string) => {
    for (;;) {
      const { value, done } = await events.next();
      if (done === true) return undefined;
      if (value.name === wanted) return JSON.parse(value.data || 'null') as never;
    }
  };
  return { response, next, close: () => abort.abort() };
}

async function* read(
  response: Response,
): AsyncGenerator<{ name: string; data: string }, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, name = ''] = /^event: (.*)$/m.exec(text.slice(0, end)) ?? [];
      const [, data = ''] = /^data: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      yield { name, data };
    }
  }
  return undefined;
}
