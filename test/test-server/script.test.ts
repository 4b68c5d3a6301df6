import request from 'supertest';
import { createApp } from '../../test-server/app.js';
import { startTestServer, type TestServer } from '../../test-server/start.js';
import { exchange } from './exchange.js';

describe('script', () => {
  it('gives the answers in order and repeats the last', async () => {
    const { app, script } = createApp();
    script('/orders', [503, { status: 429, body: { slow: 'down' } }, 200]);
    await request(app).get('/orders').expect(503);
    await request(app).get('/orders').expect(429, { slow: 'down' });
    await request(app).get('/orders').expect(200);
    await request(app).get('/orders').expect(200);
  });

  it('answers any method, whatever the query', async () => {
    const { app, script } = createApp();
    script('/orders', [201, 202, 203]);
    await request(app).post('/orders').send({ id: 1 }).expect(201);
    await request(app).delete('/orders?id=1').expect(202);
    await request(app).get('/orders').expect(203);
  });

  it('keeps a script for each path', async () => {
    const { app, script } = createApp();
    script('/a', [500, 200]);
    script('/b', [404, 200]);
    await request(app).get('/a').expect(500);
    await request(app).get('/b').expect(404);
    await request(app).get('/a').expect(200);
  });

  it('replaces the script that the path had', async () => {
    const { app, script } = createApp();
    script('/orders', [500, 501]);
    await request(app).get('/orders').expect(500);
    script('/orders', [200]);
    await request(app).get('/orders').expect(200);
  });

  it('goes before the built-in routes, until the list is empty', async () => {
    const { app, script } = createApp();
    script('/test', [503]);
    await request(app).get('/test').expect(503);
    script('/test', []);
    await request(app).get('/test').expect(200, { request: 1, message: 'OK' });
  });

  it('leaves the given list as it was', async () => {
    const { app, script } = createApp();
    const answers = [500, 200];
    script('/orders', answers);
    await request(app).get('/orders').expect(500);
    expect(answers).toEqual([500, 200]);
  });

  it.each([
    ['a status', { status: 99 }, RangeError],
    ['a delay', { delay: -1 }, RangeError],
    ['a header', { headers: { 'X-Line': 'a\nb' } }, TypeError],
  ])('throws at %s that cannot be sent', (_what, answer, type) => {
    const { script } = createApp();
    expect(() => script('/orders', [answer])).toThrow(
      expect.objectContaining({ name: type.name }) as Error,
    );
  });

  it.each([
    ['text', 'später', 'text/plain; charset=utf-8', 'später'],
    ['bytes', Buffer.from([104, 105]), 'application/octet-stream', 'hi'],
    ['JSON', ['a', 1], 'application/json; charset=utf-8', '["a",1]'],
    ['null', null, 'application/json; charset=utf-8', 'null'],
    ['nothing', '', 'text/plain; charset=utf-8', ''],
  ])('sends a body of %s', async (_kind, body, type, received) => {
    const { app, script } = createApp();
    script('/body', [{ body }]);
    const response = await request(app)
      .get('/body')
      .expect('Content-Type', type)
      .expect('Content-Length', String(Buffer.byteLength(received)))
      .buffer()
      .parse((message, done) => {
        const chunks: Buffer[] = [];
        message.on('data', (chunk: Buffer) => chunks.push(chunk));
        message.on('end', () => done(null, Buffer.concat(chunks).toString()));
      });
    expect(response.body).toBe(received);
  });
});

describe('scripted headers', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close());

  const linesOf = (rawHeaders: string[], wanted: string) =>
    rawHeaders.filter((_text, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === wanted);

  it('are sent once per value', async () => {
    server.script('/twice', [{ headers: { 'Retry-After': ['5', '10'] } }]);
    const { rawHeaders } = await exchange(`${server.url}/twice`);
    expect(linesOf(rawHeaders, 'retry-after')).toEqual(['5', '10']);
  });

  it.each(['soon', '-1', '', '1e3', 'Thu, 32 Foo 2026 25:61:00 GMT', '5, 10'])(
    'may say %j',
    async (value) => {
      server.script('/odd', [{ headers: { 'Retry-After': value } }]);
      const { rawHeaders } = await exchange(`${server.url}/odd`);
      expect(linesOf(rawHeaders, 'retry-after')).toEqual([value]);
    },
  );

  it('take the place of the default ones, in any case', async () => {
    const headers = { DATE: 'Thu, 01 Jan 1970 00:00:00 GMT', 'Content-Type': 'text/html' };
    server.script('/own', [{ headers }]);
    const { rawHeaders } = await exchange(`${server.url}/own`);
    expect(linesOf(rawHeaders, 'date')).toEqual(['Thu, 01 Jan 1970 00:00:00 GMT']);
    expect(linesOf(rawHeaders, 'content-type')).toEqual(['text/html']);
  });

  it('come on top of the bare minimum', async () => {
    server.script('/bare', [{ headers: { 'X-Own': '1' } }]);
    const { headers } = await exchange(`${server.url}/bare`);
    expect(Object.keys(headers).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'date',
      'x-own',
    ]);
  });

  it('have a date unless an empty list removes it', async () => {
    server.script('/date', [200, { headers: { Date: [] } }]);
    const dated = await exchange(`${server.url}/date`);
    const undated = await exchange(`${server.url}/date`);
    expect(linesOf(dated.rawHeaders, 'date')).toHaveLength(1);
    expect(linesOf(undated.rawHeaders, 'date')).toEqual([]);
  });
});
