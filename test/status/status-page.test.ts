import express from 'express';
import request from 'supertest';
import { createGuarded, trip } from './guarded.js';
import { createPage, serve, token } from './pages.js';

const policy = [
  "default-src 'none'",
  expect.stringMatching(/^script-src 'nonce-[\da-f]{32}'$/),
  expect.stringMatching(/^style-src 'nonce-[\da-f]{32}'$/),
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
] as string[];

describe('the page', () => {
  it('is HTML that no cache keeps, and a policy lets nothing in but its own script and style', async () => {
    const { headers, text } = await request(createPage()).get('/').expect(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['content-security-policy']?.split('; ')).toEqual(policy);
    const [nonce] = /[\da-f]{32}/.exec(String(headers['content-security-policy'])) ?? [];
    expect(text.match(/<(script|style) [^>]*>/g)).toEqual([
      `<style nonce="${nonce}">`,
      `<script type="module" nonce="${nonce}">`,
    ]);
  });

  it('has another nonce each time', async () => {
    const page = createPage();
    const nonces = new Set<string | undefined>();
    for (let time = 1; time <= 3; time += 1) {
      const { headers } = await request(page).get('/');
      nonces.add(headers['content-security-policy']);
    }
    expect(nonces.size).toBe(3);
  });

  it('takes its own policy where the application has another', async () => {
    const app = express();
    app.use((_request, response, next) => {
      response.setHeader('content-security-policy', "script-src 'none'");
      next();
    });
    app.use(createPage());
    const { headers } = await request(app).get('/');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'nonce-/);
  });

  it('holds all that it needs: no address but those of its namespaces and its icon', async () => {
    const { text } = await request(createPage()).get('/');
    const addresses = [
      ...text.matchAll(/(?:src|href|action)="([^"]*)"|https?:[^"'\s)]+|@import|url\(/g),
    ];
    const known = /^(href="data:image\/svg\+xml,|http:\/\/www\.w3\.org\/2000\/svg$)/;
    expect(addresses.map(([address]) => address).filter((address) => !known.test(address))).toEqual(
      [],
    );
  });

  it('has its title as text', async () => {
    const page = createPage([], { title: `</title><script>alert("x")</script> & 'co'` });
    const { text } = await request(page).get('/');
    expect(text).toContain(
      '<h1>&lt;/title&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;co&#39;</h1>',
    );
    expect(text.match(/<script/g)).toHaveLength(1);
  });

  it('can be asked for its head', async () => {
    await request(createPage()).head('/').expect(200).expect('content-type', /html/);
  });
});

describe('the JSON snapshot', () => {
  it('tells every circuit', async () => {
    const guarded = createGuarded({ name: 'orders' });
    await trip(guarded);
    const page = createPage([guarded.breaker, createGuarded({ name: 'search' }).breaker]);
    const answer = await request(page).get('/snapshot.json').expect(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.body).toMatchObject({
      title: 'Circuit breakers',
      circuits: [
        { breaker: 'orders', key: 'default', state: 'open', refuses: true },
        { breaker: 'search', key: 'default', state: 'closed', refuses: false },
      ],
    });
  });
});

describe('the timelines', () => {
  it('are those of the circuits asked for, and of no more than a hundred', async () => {
    const guarded = createGuarded();
    const page = createPage([guarded.breaker], { clock: guarded.clock });
    await trip(guarded);
    const ids = Array.from({ length: 150 }, (_, index) => `id=${index}`);
    const answer = await request(page)
      .get(`/timelines?${ids.join('&')}&id=x&id=`)
      .expect(200);
    expect(answer.body).toEqual({
      now: 0,
      timelines: [
        {
          id: 1,
          bucket: 0,
          states: expect.stringMatching(/^0{199}4$/) as string,
          success: Array(200).fill(0),
          failure: [...Array<number>(199).fill(0), 3],
          refused: Array(200).fill(0),
          changes: [{ at: 0, state: 'open', reason: 'consecutive' }],
        },
      ],
    });
    await request(page).get('/timelines?id=7').expect(200, { now: 0, timelines: [] });
  });
});

describe('what can be asked of the page', () => {
  const paths = ['/', '/snapshot.json', '/events', '/timelines'];

  it.each(paths)('is only to read: %s', async (path) => {
    for (const method of ['post', 'put', 'patch', 'delete', 'options'] as const) {
      const { headers } = await request(createPage())[method](path).expect(405);
      expect(headers['allow']).toMatch(/^GET/);
    }
  });

  it.each(['/command', '/nothing', '//', '/events/', '/__proto__', '/toString'])(
    'is nothing else: %s',
    async (path) => {
      await request(createPage()).get(path).expect(404, { error: 'There is nothing here' });
      await request(createPage()).post(path).expect(404);
    },
  );

  it('is left to the next handler where it is nothing', async () => {
    const app = express();
    app.use('/breakers', createPage());
    app.use((_request, response) => void response.status(418).send('next'));
    await request(app).get('/breakers/nothing').expect(418, 'next');
    await request(app).post('/breakers/command').expect(418, 'next');
  });

  it('is nothing any more once it is closed', async () => {
    const page = createPage([], { control: true, token });
    page.close();
    page.close();
    for (const path of paths) await request(page).get(path).expect(503);
    await request(page).post('/command').set('x-status-token', token).expect(503);
  });
});

describe('a page that is mounted', () => {
  it.each(['/breakers', '/breakers/', '/a/b/c'])(
    'under %s in express, is all there',
    async (path) => {
      const app = express();
      app.use(path, createPage());
      const root = path.replace(/\/$/, '');
      await request(app).get(root).expect(200).expect('content-type', /html/);
      await request(app).get(`${root}/`).expect(200).expect('content-type', /html/);
      await request(app).get(`${root}/?theme=x`).expect(200).expect('content-type', /html/);
      await request(app).get(`${root}/snapshot.json`).expect(200);
      await request(app).get('/snapshot.json').expect(404);
    },
  );

  it('on a router of express in a router, is all there', async () => {
    const inner = express.Router().use('/breakers', createPage());
    const app = express().use('/admin', inner);
    await request(app).get('/admin/breakers').expect(200);
    await request(app).get('/admin/breakers/snapshot.json').expect(200);
  });

  it.each(['/breakers', '/breakers/'])('by its path %s, needs no router', async (path) => {
    const page = createPage([], { path });
    await request(page).get('/breakers').expect(200).expect('content-type', /html/);
    await request(page).get('/breakers/').expect(200).expect('content-type', /html/);
    await request(page).get('/breakers/snapshot.json').expect(200);
    for (const other of ['/', '/breakersx', '/breakersx/snapshot.json', '/x/breakers']) {
      await request(page).get(other).expect(404);
    }
  });

  it('beside other handlers of plain http, leaves to them what is theirs', async () => {
    const page = createPage([], { path: '/breakers' });
    const { url } = await serve((incoming, response) => {
      page(incoming, response, () => response.end('theirs'));
    });
    await request(url).get('/orders').expect(200, 'theirs');
    await request(url).get('/breakers').expect('content-type', /html/);
  });
});

describe('the options of the page', () => {
  it.each([
    [null, 'Expected `options` to be an object, got null'],
    [{ title: '' }, 'Expected `title` to be a string that is not empty, got ""'],
    [{ titel: 'x' }, 'Unknown option `titel`. Did you mean `title`?'],
    [{ path: 'breakers' }, 'Expected `path` to be a path that begins with a slash, got "breakers"'],
    [{ path: '/a?b' }, 'Expected `path` to be a path that begins with a slash, got "/a?b"'],
    [{ control: 'yes' }, 'Expected `control` to be true or false, got "yes"'],
    [
      { clock: {} },
      'Expected `clock` to be an object with now, setTimeout and clearTimeout, got an object',
    ],
    [{ control: true }, 'Expected `token` to be a string where `control` is true, got undefined'],
    [
      { control: true, token: 's3cret' },
      'Expected `token` to be at least 16 visible ASCII characters, got 6 characters',
    ],
    [
      { control: true, token: 'sixteen letters ä' },
      'Expected `token` to be at least 16 visible ASCII characters, got 17 characters',
    ],
  ])('cannot be %p', (options, message) => {
    expect(() => createPage([], options as object)).toThrow(message);
  });

  it('may hold a token that nothing needs', async () => {
    const page = createPage([], { control: false, token });
    await request(page).post('/command').set('x-status-token', token).expect(404);
  });
});
