import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Stands before a server, and is its network: slow, broken, or leading to another one. */
export interface TcpProxy {
  readonly url: string;
  readonly port: number;
  /** Where connections lead to that are made from now on. */
  leadTo(port: number): void;
  /** How long each piece takes from now on, in ms, in each direction. */
  slowDown(ms: number): void;
  /** Breaks all connections there are. */
  reset(): void;
  /** Breaks all connections, and those that are made until `open`. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(port: number): Promise<TcpProxy> {
  const network = { port, latency: 0, isShut: false };
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay();
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((near) => {
    keep(near);
    if (network.isShut) return void near.resetAndDestroy();
    const far = connect(network.port, '127.0.0.1');
    keep(far);
    pass(near, far, network);
    pass(far, near, network);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  return {
    url: `redis://127.0.0.1:${own}`,
    port: own,
    leadTo: (other) => void (network.port = other),
    slowDown: (ms) => void (network.latency = ms),
    reset,
    shut() {
      network.isShut = true;
      reset();
    },
    open: () => void (network.isShut = false),
    async close() {
      server.close();
      reset();
      await once(server, 'close');
    },
  };
}

/** In order, even where the latency has changed. */
function pass(from: Socket, to: Socket, network: { readonly latency: number }): void {
  let last = Promise.resolve();
  const send = (act: () => void) => {
    const due = performance.now() + network.latency;
    last = last.then(async () => {
      const rest = due - performance.now();
      if (rest > 0) await wait(rest);
      act();
    });
  };
  from.on('data', (piece) => send(() => to.write(piece)));
  from.on('close', () => send(() => to.destroy()));
}
