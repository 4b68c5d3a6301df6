import { once } from 'node:events';
import { request } from 'node:http';
import axios from 'axios';
import type { Behaviour } from '../../test-server/behaviours.js';
import { startTestServer, type TestServer } from '../../test-server/start.js';
import { exchange, responseTo, until } from './exchange.js';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

const urlOf = (behaviour: Behaviour, more = '') =>
  `${server.url}/answer?behaviour=${behaviour}&body=0123456789${more}`;

describe('silent', () => {
  it('takes the request and never answers', async () => {
    const answered = jest.fn();
    const sent = request(urlOf('silent'), { agent: false }).once('response', answered).end();
    sent.on('error', () => undefined);
    await until(() => server.hits('/answer') === 1);
    await exchange(`${server.url}/status/200`);
    expect(answered).not.toHaveBeenCalled();
    expect(server.requests('/answer')).toEqual([
      expect.not.objectContaining({ closedAt: expect.anything() as number }),
    ]);
    sent.destroy();
  });

  it('is what a client timeout is for', async () => {
    await expect(axios.get(urlOf('silent'), { timeout: 20 })).rejects.toMatchObject({
      code: 'ECONNABORTED',
    });
  });
});

describe('silent-body', () => {
  it('sends the headers and half of the body, then nothing more', async () => {
    const response = await responseTo(urlOf('silent-body', '&status=503'));
    const [half] = (await once(response, 'data')) as [Buffer];
    const more = jest.fn();
    response.on('data', more).on('end', more);
    await exchange(`${server.url}/status/200`);

    expect(response.statusCode).toBe(503);
    expect(response.headers['content-length']).toBe('10');
    expect(half.toString()).toBe('01234');
    expect(more).not.toHaveBeenCalled();
    response.destroy();
  });

  it('sends at least the headers when there is nothing to halve', async () => {
    server.script('/short', [{ behaviour: 'silent-body', body: '1' }]);
    const response = await responseTo(`${server.url}/short`);
    expect(response.headers['content-length']).toBe('1');
    response.destroy();
  });
});

describe('drip', () => {
  it('sends as many chunks as asked for, at a steady pace', async () => {
    const start = performance.now();
    const { chunks, headers } = await exchange(urlOf('drip', '&dripEvery=10&dripChunks=4'));
    expect(chunks).toEqual(['01', '234', '56', '789']);
    expect(headers['transfer-encoding']).toBe('chunked');
    expect(performance.now() - start).toBeGreaterThan(25);
  });

  it('pads a short body with spaces, so that JSON stays JSON', async () => {
    server.script('/json', [{ behaviour: 'drip', body: [1], dripEvery: 1, dripChunks: 5 }]);
    const { chunks } = await exchange(`${server.url}/json`);
    expect(chunks).toEqual(['[', '1', ']', ' ', ' ']);
  });

  it('can be a single chunk', async () => {
    const { chunks } = await exchange(urlOf('drip', '&dripEvery=60000&dripChunks=1'));
    expect(chunks).toEqual(['0123456789']);
  });
});

describe('cut', () => {
  it('closes the socket after half of the body', async () => {
    expect(await exchange(urlOf('cut'))).toMatchObject({
      status: 200,
      headers: { 'content-length': '10' },
      body: '01234',
      error: 'ECONNRESET',
    });
  });

  it('delivers its half to a client that sends a large body too', async () => {
    const large = 'x'.repeat(1_000_000);
    expect(await exchange(urlOf('cut'), large)).toMatchObject({ body: '01234' });
  });
});

describe('reset', () => {
  it('closes the socket before any answer', async () => {
    await expect(exchange(urlOf('reset'))).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('takes the whole request first', async () => {
    await expect(axios.post(urlOf('reset'), 'x'.repeat(1_000_000))).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    expect(server.requests('/answer')).toMatchObject([{ method: 'POST' }]);
  });
});

describe('delay', () => {
  it.each(['whole', 'cut'] as const)('holds the headers back before %s', async (behaviour) => {
    const start = performance.now();
    const response = await responseTo(urlOf(behaviour, '&delay=20'));
    expect(performance.now() - start).toBeGreaterThan(18);
    response.destroy();
  });

  it('goes before reset as well', async () => {
    const start = performance.now();
    await expect(exchange(urlOf('reset', '&delay=20'))).rejects.toThrow();
    expect(performance.now() - start).toBeGreaterThan(18);
  });
});

describe('a timer', () => {
  it('of a delay is cleared when the client leaves', async () => {
    const started = jest.spyOn(globalThis, 'setTimeout');
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    const sent = request(urlOf('whole', '&delay=60000'), { agent: false }).end();
    sent.on('error', () => undefined);
    await until(() => started.mock.calls.some(([, ms]) => ms === 60_000));
    sent.destroy();
    await until(() => server.requests('/answer')[0]?.aborted === true);

    const at = started.mock.calls.findIndex(([, ms]) => ms === 60_000);
    expect(cleared).toHaveBeenCalledWith(started.mock.results[at]?.value);
  });

  it('of a drip is cleared when the client leaves', async () => {
    const started = jest.spyOn(globalThis, 'setInterval');
    const cleared = jest.spyOn(globalThis, 'clearInterval');
    const response = await responseTo(urlOf('drip', '&dripEvery=60000'));
    response.destroy();
    await until(() => server.requests('/answer')[0]?.aborted === true);

    const at = started.mock.calls.findIndex(([, ms]) => ms === 60_000);
    expect(at).not.toBe(-1);
    expect(cleared).toHaveBeenCalledWith(started.mock.results[at]?.value);
  });
});
