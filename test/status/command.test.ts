import express, { type RequestHandler } from 'express';
import request from 'supertest';
import type { StatusPage } from '../../src/status/index.js';
import { createGuarded, trip } from './guarded.js';
import { createPage, token } from './pages.js';

const keyed = { key: ({ url = '' }: { url?: string }) => url };

function createControlled() {
  const guarded = createGuarded({ name: 'orders' });
  const page = createPage([guarded.breaker], { control: true, token, clock: guarded.clock });
  return { ...guarded, page };
}

const command = (page: Parameters<typeof request>[0]) =>
  request(page).post('/command').set('x-status-token', token);

describe('a command', () => {
  it('opens, disables and closes a breaker', async () => {
    const { breaker, page } = createControlled();
    for (const [name, state] of [
      ['open', 'forced-open'],
      ['disable', 'disabled'],
      ['close', 'closed'],
    ]) {
      const order = { breaker: 'orders', command: name };
      await command(page).send(order).expect(200, { breaker: 'orders', key: null, state });
      expect(breaker.getState()).toBe(state);
    }
  });

  it('goes to one circuit where it names a key, else to all, present and future', async () => {
    const guarded = createGuarded({ ...keyed, name: 'stock' });
    for (const key of ['a', 'b "<\'']) await guarded.get(key);
    const page = createPage([guarded.breaker], { control: true, token });
    await command(page)
      .send({ breaker: 'stock', key: 'b "<\'', command: 'open' })
      .expect(200, { breaker: 'stock', key: 'b "<\'', state: 'forced-open' });
    expect(guarded.breaker.getState('a')).toBe('closed');
    await command(page).send({ breaker: 'stock', key: null, command: 'open' }).expect(200);
    expect(['a', 'new'].map((key) => guarded.breaker.getState(key))).toEqual([
      'forced-open',
      'forced-open',
    ]);
  });

  it('closes a circuit that has opened by itself', async () => {
    const guarded = createGuarded({ name: 'orders' });
    await trip(guarded);
    const page = createPage([guarded.breaker], { control: true, token });
    await command(page).send({ breaker: 'orders', command: 'close' }).expect(200);
    expect(guarded.breaker.getState()).toBe('closed');
  });

  it('finds a breaker by what tells it from others of its name', async () => {
    const [one, two] = [createGuarded({ name: 'api' }), createGuarded({ name: 'api' })];
    const page = createPage([one.breaker, two.breaker], { control: true, token });
    await command(page).send({ breaker: 'api (2)', command: 'open' }).expect(200);
    expect([one, two].map(({ breaker }) => breaker.getState())).toEqual(['closed', 'forced-open']);
  });

  it.each([
    [{ breaker: 'orders' }, 400, 'Expected `command` to be open, close or disable, got undefined'],
    [
      { breaker: 'orders', command: 'detach' },
      400,
      'Expected `command` to be open, close or disable, got "detach"',
    ],
    [
      { breaker: 'orders', command: ['open'] },
      400,
      'Expected `command` to be open, close or disable, got ["open"]',
    ],
    [{ command: 'open' }, 404, 'There is no breaker undefined'],
    [{ breaker: 'order', command: 'open' }, 404, 'There is no breaker "order"'],
    [{ breaker: 'orders', key: 'x', command: 'open' }, 404, '"orders" has no circuit "x"'],
    [{ breaker: 'orders', key: '', command: 'open' }, 404, '"orders" has no circuit ""'],
    [{ breaker: 'orders', key: 7, command: 'open' }, 404, '"orders" has no circuit 7'],
  ])('%j is answered with %p and changes nothing', async (order, status, error) => {
    const { breaker, page } = createControlled();
    await command(page).send(order).expect(status, { error });
    expect(breaker.getState()).toBe('closed');
    expect(breaker.keys()).toEqual(['default']);
  });
});

describe('the token of a command', () => {
  const order = { breaker: 'orders', command: 'open' };

  it('is asked for', async () => {
    const { breaker, page } = createControlled();
    const { headers } = await request(page)
      .post('/command')
      .send(order)
      .expect(401, { error: 'Send the token in the header x-status-token' });
    expect(headers['www-authenticate']).toBe('Token');
    expect(breaker.getState()).toBe('closed');
  });

  it.each([
    ['another', 'another-token-for-tests'],
    ['part of it', token.slice(0, -1)],
    ['more than it', `${token}x`],
    ['in other letters', token.toUpperCase()],
  ])('opens nothing where it is %s', async (_title, wrong) => {
    const { breaker, page } = createControlled();
    await request(page)
      .post('/command')
      .set('x-status-token', wrong)
      .send(order)
      .expect(403, { error: 'The token is wrong' });
    expect(breaker.getState()).toBe('closed');
  });

  it('opens nothing in an address, a body, or a cookie', async () => {
    const { breaker, page } = createControlled();
    const path = `/command?token=${token}&x-status-token=${token}`;
    await request(page)
      .post(path)
      .send({ ...order, token })
      .expect(401);
    await request(page)
      .post('/command')
      .set('cookie', `x-status-token=${token}`)
      .send(order)
      .expect(401);
    expect(breaker.getState()).toBe('closed');
  });

  it('opens nothing by GET, nor by any other method', async () => {
    const { breaker, page } = createControlled();
    for (const method of ['get', 'head', 'put', 'patch', 'delete', 'options'] as const) {
      const asked = request(page)[method]('/command?breaker=orders&command=open');
      await asked.set('x-status-token', token).expect(405).expect('allow', 'POST');
    }
    expect(breaker.getState()).toBe('closed');
  });

  it('is nowhere on the page, nor in what it tells', async () => {
    const { page } = createControlled();
    for (const path of ['/', '/snapshot.json', '/timelines?id=1']) {
      expect((await request(page).get(path)).text).not.toContain(token);
    }
  });

  it('is of no use without `control`', async () => {
    const { breaker } = createGuarded({ name: 'orders' });
    await command(createPage([breaker]))
      .send(order)
      .expect(404);
    await command(createPage([breaker], { control: false, token }))
      .send(order)
      .expect(404);
    expect(breaker.getState()).toBe('closed');
    const { text } = await request(createPage([breaker])).get('/');
    expect(text).not.toContain('<dialog');
  });
});

describe('the body of a command', () => {
  const parsers: [string, RequestHandler[]][] = [
    ['nothing', []],
    ['express.json()', [express.json()]],
    ['express.urlencoded()', [express.urlencoded()]],
    ['both', [express.json(), express.urlencoded()]],
    ['express.text() of anything', [express.text({ type: '*/*' })]],
    ['express.raw() of anything', [express.raw({ type: '*/*' })]],
    // As those of express 4 do.
    [
      'one that leaves an empty object',
      [
        (incoming, _response, next) => {
          incoming.body = {};
          next();
        },
      ],
    ],
  ];

  function mounted(page: StatusPage, before: RequestHandler[]) {
    const app = express();
    for (const parser of before) app.use(parser);
    return app.use('/breakers', page);
  }

  it.each(parsers)('is read behind %s, as JSON and as a form', async (_title, before) => {
    const { breaker, page } = createControlled();
    const app = mounted(page, before);
    const send = () => request(app).post('/breakers/command').set('x-status-token', token);
    await send().send({ breaker: 'orders', command: 'open' }).expect(200);
    expect(breaker.getState()).toBe('forced-open');
    await send()
      .type('form')
      .send({ breaker: 'orders', key: 'default', command: 'close' })
      .expect(200);
    expect(breaker.getState()).toBe('closed');
  });

  it.each(['', '{', '{}', '7', 'null', '[]', '"open"'])(
    'is refused where it is %p',
    async (body) => {
      const { page } = createControlled();
      const answer = await command(page).type('application/json').send(body);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: 'Expected the body to be an object of JSON, or a form',
      });
    },
  );

  it('is refused where it is too large, also without a length', async () => {
    const { breaker, page } = createControlled();
    const order = { breaker: 'orders', command: 'open', more: 'x'.repeat(20_000) };
    await command(page).send(order).expect(413, { error: 'The body is too large' });
    expect(breaker.getState()).toBe('closed');
  });
});
