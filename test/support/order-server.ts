import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server that takes each order once, told by its `Idempotency-Key`. */
export interface OrderServer {
  readonly url: string;
  /** The bodies of the orders taken, by key. */
  readonly accepted: ReadonlyMap<string, string>;
  /** How many requests came, and how many of them for an order taken before. */
  readonly counts: { requests: number; repeated: number };
  /** Called when so many have been taken. */
  when(taken: number, call: () => void): void;
  /** What it answers instead of taking an order; `undefined`: it takes them. */
  failWith(status: number | undefined): void;
  /** Listens, on the same port each time. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Knows its port, but does not listen before `start`. */
export async function orderServer(): Promise<OrderServer> {
  const accepted = new Map<string, string>();
  const counts = { requests: 0, repeated: 0 };
  let awaited = { taken: 0, call: (): void => undefined };
  let failure: number | undefined;
  let server: Server | undefined;

  const answer = async (body: Promise<string>, key: string): Promise<number> => {
    counts.requests += 1;
    const sent = await body;
    if (failure !== undefined) return failure;
    if (accepted.has(key)) counts.repeated += 1;
    else {
      accepted.set(key, sent);
      if (accepted.size === awaited.taken) awaited.call();
    }
    return 201;
  };

  async function listen(port: number): Promise<Server> {
    const started = createServer((request, response) => {
      const key = String(request.headers['idempotency-key']);
      void answer(text(request), key).then((status) => response.writeHead(status).end());
    });
    started.listen(port, '127.0.0.1');
    await once(started, 'listening');
    return started;
  }

  async function close(started: Server): Promise<void> {
    started.close();
    started.closeAllConnections();
    await once(started, 'close');
  }

  const first = await listen(0);
  const { port } = first.address() as AddressInfo;
  await close(first);
  return {
    url: `http://127.0.0.1:${port}`,
    accepted,
    counts,
    when: (taken, call) => void (awaited = { taken, call }),
    failWith: (status) => void (failure = status),
    async start() {
      server ??= await listen(port);
    },
    async stop() {
      if (server) await close(server);
      server = undefined;
    },
  };
}
