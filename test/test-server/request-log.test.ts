import { request as httpRequest } from 'node:http';
import axios from 'axios';
import request from 'supertest';
import { createApp } from '../../test-server/app.js';
import { startTestServer, type TestServer } from '../../test-server/start.js';
import { exchange, responseTo, until } from './exchange.js';

describe('hits', () => {
  it('counts by path, without the query, and in all', async () => {
    const { app, script, hits } = createApp();
    script('/scripted', [503]);
    await request(app).get('/test/');
    await request(app).get('/scripted?a=1');
    await request(app).post('/scripted?a=2');
    await request(app).get('/nowhere');
    expect(hits('/test/')).toBe(1);
    expect(hits('/scripted')).toBe(2);
    expect(hits('/nowhere')).toBe(1);
    expect(hits('/never')).toBe(0);
    expect(hits()).toBe(4);
  });

  it('is there over HTTP, without counting that', async () => {
    const { app, hits } = createApp();
    await request(app).get('/hits').expect(200, { total: 0, paths: {} });
    await request(app).get('/test/?x=1');
    await request(app).get('/status/503');
    await request(app).get('/status/503');
    const paths = { '/test/': 1, '/status/503': 2 };
    await request(app).get('/hits').expect(200, { total: 3, paths });
    expect(hits()).toBe(3);
  });
});

describe('requests', () => {
  it('lists what came for a path, or in all', async () => {
    const { app, requests } = createApp();
    await request(app).get('/status/200?a=1').set('X-Trace', 'one');
    await request(app).get('/test/');
    await request(app).put('/status/200').set('X-Trace', 'two');
    const headers = (trace: string) => expect.objectContaining({ 'x-trace': trace }) as object;
    expect(requests('/status/200')).toMatchObject([
      { method: 'GET', url: '/status/200?a=1', headers: headers('one'), aborted: false },
      { method: 'PUT', url: '/status/200', headers: headers('two'), aborted: false },
    ]);
    expect(requests().map(({ url }) => url)).toEqual(['/status/200?a=1', '/test/', '/status/200']);
    expect(requests('/never')).toEqual([]);
  });

  it('tells what came with each, and what it was answered', async () => {
    const { app, script, requests } = createApp();
    script('/', [202, 503, { behaviour: 'reset' }]);
    await request(app).post('/').type('text/plain').send('smörgåsbord');
    await request(app).post('/').send({ a: 1 });
    await request(app)
      .get('/')
      .catch(() => undefined);
    expect(requests()).toMatchObject([
      { body: 'smörgåsbord', status: 202 },
      { body: '{"a":1}', status: 503 },
      { body: '', status: undefined },
    ]);
  });

  it('keeps the latest thousand, while all are counted', async () => {
    const { url, hits, requests, close } = await startTestServer();
    try {
      for (let sent = 0; sent < 1001; sent += 1) await fetch(`${url}/status/204?${sent}`);
      expect(hits()).toBe(1001);
      expect(requests()).toHaveLength(1000);
      expect(requests()[0]).toMatchObject({ url: '/status/204?1' });
    } finally {
      await close();
    }
  });
});

describe('the end of a request', () => {
  let server: TestServer;
  let start: number;
  beforeEach(async () => {
    server = await startTestServer();
    start = Date.now();
  });
  afterEach(() => server.close());

  const only = () => server.requests()[0];
  const isClosed = () => only()?.closedAt !== undefined;

  it('is an abort when the client leaves before the headers', async () => {
    const sent = httpRequest(`${server.url}/answer?behaviour=silent`, { agent: false }).end();
    sent.on('error', () => undefined);
    await until(() => server.hits() === 1);
    expect(only()).toMatchObject({ aborted: false });
    expect(only()).not.toHaveProperty('closedAt');

    sent.destroy();
    await until(isClosed);
    expect(only()).toMatchObject({ aborted: true });
    expect(only()?.closedAt).toBeGreaterThanOrEqual(start);
    expect(only()?.closedAt).toBeLessThanOrEqual(Date.now());
  });

  it.each(['silent-body', 'drip&dripEvery=60000', 'drip&dripEvery=1&dripChunks=100000'])(
    'is an abort when the client leaves amid a %s',
    async (behaviour) => {
      const response = await responseTo(`${server.url}/answer?behaviour=${behaviour}`);
      response.destroy();
      await until(isClosed);
      expect(only()).toMatchObject({ aborted: true });
    },
  );

  it('is an abort when an AbortController says so', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const answer = axios.get(`${server.url}/answer?behaviour=silent`, { signal });
    await until(() => server.hits() === 1);
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: 'ERR_CANCELED' });
    await until(isClosed);
    expect(only()).toMatchObject({ aborted: true });
  });

  it.each(['whole', 'drip&dripEvery=1', 'cut', 'reset'])(
    'is no abort when the server ended it: %s',
    async (behaviour) => {
      await exchange(`${server.url}/answer?behaviour=${behaviour}`).catch(() => undefined);
      await until(isClosed);
      expect(only()).toMatchObject({ aborted: false });
    },
  );

  it('is no abort when the server shuts down', async () => {
    const answer = exchange(`${server.url}/answer?behaviour=silent`);
    await until(() => server.hits() === 1);
    await Promise.all([server.close(), expect(answer).rejects.toThrow()]);
    await until(isClosed);
    expect(only()).toMatchObject({ aborted: false });
  });
});
