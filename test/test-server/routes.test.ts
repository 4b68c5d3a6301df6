import request from 'supertest';
import { createApp } from '../../test-server/app.js';

describe('GET /test/', () => {
  it('answers every third request with 400 and every fifth with 429, which wins on the fifteenth', async () => {
    const { app } = createApp();
    const answers: unknown[] = [];
    for (let sent = 0; sent < 16; sent += 1) {
      const response = await request(app).get('/test/');
      answers.push([response.status, response.body]);
    }
    const ok = (n: number) => [200, { request: n, message: 'OK' }];
    const bad = (n: number) => [400, { request: n, message: 'Bad Request' }];
    const tooMany = (n: number) => [429, { request: n, message: 'Too Many Requests' }];
    expect(answers).toEqual([
      ok(1),
      ok(2),
      bad(3),
      ok(4),
      tooMany(5),
      bad(6),
      ok(7),
      ok(8),
      bad(9),
      tooMany(10),
      ok(11),
      bad(12),
      ok(13),
      ok(14),
      tooMany(15),
      ok(16),
    ]);
  });

  it('counts the path without the slash at the end as the same', async () => {
    const { app } = createApp();
    await request(app).get('/test/');
    await request(app).get('/test').expect(200, { request: 2, message: 'OK' });
  });

  it('does not count requests for other paths', async () => {
    const { app } = createApp();
    await request(app).get('/status/500');
    await request(app).get('/test/').expect(200, { request: 1, message: 'OK' });
  });
});

describe('GET /status/:code', () => {
  it('answers with that status', async () => {
    const { app } = createApp();
    await request(app)
      .get('/status/503')
      .expect('Content-Type', /^application\/json/)
      .expect(503, { status: 503, message: 'Service Unavailable' });
  });

  it.each([204, 304])('sends no body with %i', async (status) => {
    const { app } = createApp();
    const response = await request(app).get(`/status/${status}`).expect(status, '');
    expect(response.headers).not.toHaveProperty('content-type');
    expect(response.headers).not.toHaveProperty('content-length');
  });

  it.each(['199', '1000', '200.5', 'teapot'])(
    'answers %s, which is no status, with 400',
    async (code) => {
      const { app } = createApp();
      const response = await request(app).get(`/status/${code}`).expect(400);
      expect(response.body).toEqual({
        status: 400,
        message: expect.stringContaining('Expected `status` to be an integer') as string,
      });
    },
  );
});

describe('GET /answer', () => {
  it('answers as its query says', async () => {
    const { app } = createApp();
    const query = 'status=503&body=busy&header=Retry-After:5&header=X-At:10:30';
    await request(app)
      .get(`/answer?${query}`)
      .expect('Retry-After', '5')
      .expect('X-At', '10:30')
      .expect(503, 'busy');
  });

  it('answers 200 to an empty query', async () => {
    const { app } = createApp();
    await request(app).get('/answer').expect(200, { status: 200, message: 'OK' });
  });

  it('sends a header as often as it is named', async () => {
    const { app } = createApp();
    const response = await request(app).get('/answer?header=Set-Cookie:a=1&header=Set-Cookie:b=2');
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  });

  it('removes a header that is named without a colon', async () => {
    const { app } = createApp();
    const response = await request(app).get('/answer?header=Date');
    expect(response.headers).not.toHaveProperty('date');
  });

  it('drips when told so', async () => {
    const { app } = createApp();
    const query = 'behaviour=drip&dripEvery=1&dripChunks=3&body=drop';
    await request(app)
      .get(`/answer?${query}`)
      .expect('Transfer-Encoding', 'chunked')
      .expect(200, 'drop');
  });

  it.each([
    ['behaviour=explode', 'Expected `behaviour` to be a known one, got explode'],
    ['behaviour=toString', 'Expected `behaviour` to be a known one, got toString'],
    ['delay=soon', 'Expected `delay` to be an integer of 0 to 2147483647, got NaN'],
    ['dripEvery=0', 'Expected `dripEvery` to be an integer of 1 to 2147483647, got 0'],
    ['dripChunks=0', 'Expected `dripChunks` to be an integer of 1 to 2147483647, got 0'],
    ['header=a%20b:1', 'Header name must be a valid HTTP token ["a b"]'],
  ])('answers %s with 400', async (query, message) => {
    const { app } = createApp();
    await request(app).get(`/answer?${query}`).expect(400, { status: 400, message });
  });
});

it('answers any other path with a 404 in JSON', async () => {
  const { app } = createApp();
  await request(app)
    .post('/nowhere')
    .expect('Content-Type', /^application\/json/)
    .expect(404, { status: 404, message: 'Not Found' });
});

it('reads the request body before it answers', async () => {
  const { app } = createApp();
  await request(app)
    .post('/status/201')
    .send({ large: 'x'.repeat(1_000_000) })
    .expect(201);
});
