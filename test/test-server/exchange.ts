import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

export interface Exchange {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: string[];
  readonly chunks: string[];
  readonly body: string;
  /** The code of the error that ended the body early. */
  readonly error?: string;
}

/** What comes over the wire, as no client library shows it. Rejects when there is no answer. */
export async function exchange(url: string, body?: string): Promise<Exchange> {
  const response = await responseTo(url, body);
  const { statusCode: status, headers, rawHeaders } = response;
  const chunks: string[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const error = await once(response, 'end').then(
    () => ({}),
    (reason: unknown) => ({ error: (reason as NodeJS.ErrnoException).code ?? 'no code' }),
  );
  return { status, headers, rawHeaders, chunks, body: chunks.join(''), ...error };
}

/** Resolves at the headers. */
export async function responseTo(url: string, body?: string): Promise<IncomingMessage> {
  const sent = request(url, { agent: false, method: body === undefined ? 'GET' : 'POST' });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

export async function until(isTrue: () => boolean, ms = 3_000): Promise<void> {
  const giveUpAt = performance.now() + ms;
  while (!isTrue()) {
    if (performance.now() > giveUpAt) throw new Error(`Never true: ${isTrue.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
