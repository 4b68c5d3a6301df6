import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What a server answered, as it came over the wire. */
interface WholeAnswer {
  /** The status line and the headers, with the empty line after them. */
  readonly head: string;
  readonly body: Buffer;
}

type Answer = (client: Socket, answer: WholeAnswer, deadUrl: string) => void;

const endOfHead = '\r\n\r\n';
const crlf = '\r\n';

/**
 * What the wire may do to an answer:
 *
 * - `none` passes it on, and closes
 * - `keep-alive` passes it on, and leaves the socket open for the next request, at which it closes it
 * - `reset-after-headers` resets the socket after the headers
 * - `half-then-silence` passes on the headers and half of the body, then nothing more
 * - `half-then-cut` does so, and closes the socket
 * - `drip` sends the body byte by byte, one each 2 ms
 * - `continue` sends `100 Continue` before it
 * - `dead-redirect` sends the client to where nobody listens
 * - `huge-headers` adds 100 kB of headers
 * - `invalid-chunking` says that the body is chunked, and sends something else
 */
const answers = {
  none: (client, { head, body }) => client.end(Buffer.concat([Buffer.from(head), body])),
  'keep-alive': (client, { head, body }) => {
    client.write(Buffer.concat([Buffer.from(head.replace(/^connection:.*\r\n/im, '')), body]));
    client.once('data', () => client.destroy());
  },
  'reset-after-headers': (client, { head }) => {
    client.write(head, () => client.resetAndDestroy());
  },
  'half-then-silence': (client, { head, body }) => {
    client.write(head);
    client.write(body.subarray(0, body.length / 2));
  },
  'half-then-cut': (client, { head, body }) => {
    client.write(head);
    client.end(body.subarray(0, body.length / 2));
  },
  drip,
  continue: (client, { head, body }) => {
    client.write(`HTTP/1.1 100 Continue${endOfHead}`);
    client.end(Buffer.concat([Buffer.from(head), body]));
  },
  'dead-redirect': (client, _answer, deadUrl) => {
    const lines = ['HTTP/1.1 302 Found', `location: ${deadUrl}/`, 'content-length: 0'];
    client.end(`${lines.join(crlf)}${endOfHead}`);
  },
  'huge-headers': (client, { head, body }) => {
    const huge = `x-huge: ${'a'.repeat(100_000)}${endOfHead}`;
    client.end(Buffer.concat([Buffer.from(head.replace(endOfHead, crlf + huge)), body]));
  },
  'invalid-chunking': (client, { head, body }) => {
    client.write(head.replace(/^content-length:.*$/im, 'transfer-encoding: chunked'));
    client.end(Buffer.concat([Buffer.from('not a length\r\n'), body]));
  },
} satisfies Record<string, Answer>;

/** `reset-at-accept` asks no server at all. */
export type WireFault = keyof typeof answers | 'reset-at-accept';

export interface FaultProxy {
  /** Without a slash at the end. */
  readonly url: string;
  /** Where nobody listens. */
  readonly deadUrl: string;
  /** What happens to the requests from now on. */
  fault: WireFault;
  /** How many sockets are open that something came on, on either side: fetch opens some ahead. */
  readonly sockets: () => number;
  readonly close: () => Promise<void>;
}

/** Stands before the server at a port of this machine. For requests without a body. */
export async function startFaultProxy(port: number): Promise<FaultProxy> {
  const deadUrl = await urlOfNobody();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Who resets a socket, or has it reset, hears of that here.
    socket.on('error', () => undefined);
    return socket;
  };
  const server = createServer((client) => {
    keep(client);
    if (proxy.fault === 'reset-at-accept') {
      client.resetAndDestroy();
      return;
    }
    client.once('data', (request: Buffer) => {
      // As of now: fetch may have opened this socket ahead, under the fault of an earlier request.
      const fault = proxy.fault === 'reset-at-accept' ? 'none' : proxy.fault;
      // Or it would not hear that the client has gone.
      client.resume();
      const upstream = keep(connect(port, '127.0.0.1'));
      client.once('close', () => upstream.destroy());
      void readAnswer(upstream, request).then((answer) => answers[fault](client, answer, deadUrl));
    });
  });
  const url = await listen(server);

  const proxy: FaultProxy = {
    url,
    deadUrl,
    fault: 'none',
    sockets: () => [...sockets].filter(({ bytesRead }) => bytesRead > 0).length,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Of a port that was somebody's a moment ago. */
async function urlOfNobody(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  server.close();
  await once(server, 'close');
  return url;
}

/** Asks for an answer that ends with its socket. */
async function readAnswer(upstream: Socket, request: Buffer): Promise<WholeAnswer> {
  const head = request.toString().replace(/^connection:.*\r\n/im, '');
  upstream.write(head.replace(endOfHead, `${crlf}connection: close${endOfHead}`));
  const chunks: Buffer[] = [];
  upstream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(upstream, 'close');
  const whole = Buffer.concat(chunks);
  const end = whole.indexOf(endOfHead) + endOfHead.length;
  return { head: whole.subarray(0, end).toString(), body: whole.subarray(end) };
}

function drip(client: Socket, { head, body }: WholeAnswer): void {
  client.write(head);
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    if (sent < body.length) client.write(body.subarray(sent - 1, sent));
    else client.end(body.subarray(sent - 1));
  }, 2);
  client.once('close', () => clearInterval(timer));
}
