import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { startFaultProxy, type FaultProxy, type WireFault } from '../../test-server/fault-proxy.js';
import { startTestServer, type TestServer } from '../../test-server/start.js';
import { exchange, responseTo, until } from './exchange.js';

let server: TestServer;
let proxy: FaultProxy;
beforeEach(async () => {
  server = await startTestServer();
  proxy = await startFaultProxy(server.port);
  server.script('/', [{ body: '0123456789' }]);
});
afterEach(async () => {
  await proxy.close();
  await server.close();
});

const ask = (fault: WireFault) => {
  proxy.fault = fault;
  return exchange(proxy.url);
};

/** Every byte that comes for a request, until the socket closes. */
async function bytesOf(fault: WireFault): Promise<string> {
  proxy.fault = fault;
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString()));
  socket.write('GET / HTTP/1.1\r\nhost: a.example\r\n\r\n');
  await once(socket, 'close');
  return received;
}

describe('the fault proxy', () => {
  it('passes an answer on as it is', async () => {
    expect(await ask('none')).toMatchObject({ status: 200, body: '0123456789' });
    expect(server.hits('/')).toBe(1);
  });

  it('resets at accept, and the server hears nothing of it', async () => {
    await expect(ask('reset-at-accept')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(server.hits()).toBe(0);
  });

  it('resets after the headers', async () => {
    expect(await ask('reset-after-headers')).toMatchObject({
      status: 200,
      body: '',
      error: 'ECONNRESET',
    });
  });

  it('falls silent in the middle of the body', async () => {
    proxy.fault = 'half-then-silence';
    const response = await responseTo(proxy.url);
    const [chunk] = (await once(response, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('01234');
    expect(proxy.sockets()).toBe(1);
    response.destroy();
    await until(() => proxy.sockets() === 0);
  });

  it('cuts the body in the middle', async () => {
    expect(await ask('half-then-cut')).toMatchObject({ body: '01234', error: 'ECONNRESET' });
  });

  it('drips the body, whole', async () => {
    const { chunks, body } = await ask('drip');
    expect(body).toBe('0123456789');
    expect(chunks.length).toBeGreaterThan(2);
  });

  it('tells to continue before it answers', async () => {
    expect(await bytesOf('continue')).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
    );
    expect(await ask('continue')).toMatchObject({ status: 200, body: '0123456789' });
  });

  it('redirects to where nobody listens', async () => {
    const { status, headers } = await ask('dead-redirect');
    expect(status).toBe(302);
    await expect(exchange(String(headers.location))).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('sends more headers than Node takes', async () => {
    await expect(ask('huge-headers')).rejects.toMatchObject({ code: 'HPE_HEADER_OVERFLOW' });
  });

  it('sends chunks that are none', async () => {
    expect(await bytesOf('invalid-chunking')).toContain('\r\n\r\nnot a length\r\n0123456789');
  });

  it('closes a socket that it kept, at the next request on it', async () => {
    proxy.fault = 'keep-alive';
    const agent = new Agent({ keepAlive: true });
    const first = request(proxy.url, { agent }).end();
    const [response] = (await once(first, 'response')) as [NodeJS.ReadableStream];
    await once(response.resume(), 'end');
    await until(() => Object.keys(agent.freeSockets).length === 1);

    const second = request(proxy.url, { agent }).end();
    await expect(once(second, 'response')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(second.reusedSocket).toBe(true);
    expect(server.hits('/')).toBe(1);
    agent.destroy();
  });

  it('is left without a socket', async () => {
    await ask('none');
    await expect(until(() => proxy.sockets() === 0)).resolves.toBeUndefined();
  });
});
