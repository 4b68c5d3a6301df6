import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { statusPage, type BreakerList, type StatusPageOptions } from '../../src/status/index.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A status page that ends with its test. */
export function createPage(list: BreakerList = [], options: StatusPageOptions = {}) {
  const page = statusPage(list, options);
  closing.push(() => page.close());
  return page;
}

export interface Served {
  /** Without a slash at the end. */
  readonly url: string;
  readonly server: Server;
  /** Frees the port. */
  readonly stop: () => Promise<void>;
}

/** Listens until the test is over. */
export async function serve(listener: RequestListener, port = 0): Promise<Served> {
  const server = createServer(listener).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  closing.push(stop);
  return { server, stop, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export const token = 'a-token-for-tests';
