import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** As text; empty until it is complete. */
  readonly body: string;
  /** What it was answered; absent until then. */
  readonly status: number | undefined;
  /** The client closed the socket before it had the whole answer. */
  readonly aborted: boolean;
  /** When the answer was complete or the socket closed, as `Date.now()`; absent until then. */
  readonly closedAt?: number;
}

interface Entry {
  readonly path: string;
  readonly request: { -readonly [Key in keyof SeenRequest]: SeenRequest[Key] };
}

const kept = 1000;

/** Counts every request; of the requests themselves it keeps the latest thousand. */
export class RequestLog {
  readonly #hits = new Map<string, number>();
  readonly #entries: Entry[] = [];

  add(req: Request, res: Response): void {
    const { method, originalUrl: url, headers, path, socket } = req;
    const request: Entry['request'] = {
      method,
      url,
      headers,
      body: '',
      get status() {
        return res.headersSent ? res.statusCode : undefined;
      },
      aborted: false,
    };
    this.#hits.set(path, (this.#hits.get(path) ?? 0) + 1);
    this.#entries.push({ path, request });
    if (this.#entries.length > kept) this.#entries.shift();

    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => {
      request.body = Buffer.concat(chunks).toString();
    });
    res.once('close', () => {
      // A socket that this server destroys neither ends nor fails: the client was the one to close.
      const closedByClient = socket.readableEnded || socket.errored !== null;
      request.aborted = closedByClient && !res.writableFinished;
      request.closedAt = Date.now();
    });
  }

  hits(path?: string): number {
    if (path !== undefined) return this.#hits.get(path) ?? 0;
    return [...this.#hits.values()].reduce((total, count) => total + count, 0);
  }

  hitsByPath(): Record<string, number> {
    return Object.fromEntries(this.#hits);
  }

  requests(path?: string): SeenRequest[] {
    return this.#entries
      .filter((entry) => path === undefined || entry.path === path)
      .map(({ request }) => request);
  }
}
