import request from 'supertest';
import { createApp } from '../../test-server/app.js';

const ofPage = { origin: 'http://page.test' };

describe('a server for pages of other origins', () => {
  it('lets them read its answers, and the headers that it exposes', async () => {
    const { app, script } = createApp({ exposed: ['Retry-After', 'Date'] });
    script('/', [429]);
    await request(app)
      .get('/')
      .set(ofPage)
      .expect(429)
      .expect('Access-Control-Allow-Origin', '*')
      .expect('Access-Control-Expose-Headers', 'Retry-After, Date');
  });

  it('answers preflights itself: they are no hits, and take no answer of a script', async () => {
    const { app, script, hits } = createApp({ exposed: [] });
    script('/', [503, 200]);
    const preflight = { ...ofPage, 'Access-Control-Request-Method': 'PUT' };
    const response = await request(app).options('/').set(preflight).expect(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('PUT') as string,
      'access-control-allow-headers': expect.stringContaining('Authorization') as string,
    });
    expect(response.headers).not.toHaveProperty('access-control-expose-headers');
    expect(hits()).toBe(0);
    await request(app).options('/').expect(503);
    expect(hits()).toBe(1);
  });

  it('may hide one answer from them', async () => {
    const { app, script } = createApp({ exposed: [] });
    script('/', [{ headers: { 'access-control-allow-origin': [] } }, 200]);
    const hidden = await request(app).get('/');
    expect(hidden.headers).not.toHaveProperty('access-control-allow-origin');
    await request(app).get('/').expect('Access-Control-Allow-Origin', '*');
  });

  it('is none unless that is asked for', async () => {
    const { app } = createApp();
    const response = await request(app).get('/test/').set(ofPage).expect(200);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
