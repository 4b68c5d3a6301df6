import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { openEvents } from './events.js';
import { createGuarded, trip } from './guarded.js';
import { createPage, serve } from './pages.js';

const keyed = { key: ({ url = '' }: { url?: string }) => url };

async function open(options = {}) {
  const guarded = createGuarded({ name: 'orders', ...options });
  const page = createPage([guarded.breaker], { clock: guarded.clock });
  const { url, server } = await serve(page);
  return { guarded, page, url, server, events: await openEvents(url) };
}

describe('the news of a page', () => {
  it('begin with every circuit', async () => {
    const { events } = await open();
    expect(Object.fromEntries(events.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    await expect(events.next('rows')).resolves.toMatchObject({
      isFirst: true,
      now: 0,
      gone: [],
      rows: [
        { id: 1, breaker: 'orders', key: 'default', state: 'closed', since: 0, retryAt: null },
      ],
    });
  });

  it('begin although there is no circuit', async () => {
    const { url } = await serve(createPage());
    const events = await openEvents(url);
    await expect(events.next('rows')).resolves.toMatchObject({ isFirst: true, rows: [] });
  });

  it('tell of an opening a tenth of a second later, with others that came meanwhile', async () => {
    const { guarded, events } = await open({ ...keyed, name: 'stock' });
    await events.next('rows');
    await trip(guarded, 'a');
    await trip(guarded, 'b');
    guarded.clock.advance(100);
    const news = await events.next('rows');
    expect(news).toMatchObject({
      isFirst: false,
      now: 100,
      rows: [
        { key: 'a', state: 'open', refuses: true, openReason: 'consecutive', retryAt: 10_000 },
        { key: 'b', state: 'open' },
      ],
    });
  });

  it('tell each second what has changed, and nothing where nothing has', async () => {
    const { guarded, events } = await open({ ...keyed, name: 'stock' });
    await events.next('rows');
    await guarded.get('a');
    await guarded.get('b');
    guarded.clock.advance(1_000);
    await events.next('rows');
    guarded.clock.advance(1_000);
    await guarded.get('b');
    guarded.clock.advance(1_000);
    const news = await events.next('rows');
    expect(news).toMatchObject({ now: 3_000, rows: [{ key: 'b', recent: { success: 2 } }] });
    expect(news?.rows).toHaveLength(1);
  });

  it('do not count down: that would be news all the time', async () => {
    const { guarded, events } = await open();
    await events.next('rows');
    await trip(guarded);
    guarded.clock.advance(1_000);
    await events.next('rows');
    guarded.clock.advance(8_000);
    guarded.clock.advance(1_000);
    const news = await events.next('rows');
    expect(news).toMatchObject({ now: 10_000, rows: [{ state: 'closed' }] });
  });

  it('tell of circuits that are gone', async () => {
    const { guarded, events } = await open({ ...keyed, maxKeys: 1 });
    await guarded.get('a');
    await events.next('rows');
    guarded.clock.advance(1_000);
    const [id] = (await events.next('rows'))?.rows.map((row) => row.id) ?? [];
    await guarded.get('b');
    guarded.clock.advance(1_000);
    await expect(events.next('rows')).resolves.toMatchObject({ gone: [id], rows: [{ key: 'b' }] });
  });

  it('beat every three seconds, for who wonders whether they are over', async () => {
    const { guarded, events } = await open();
    await events.next('rows');
    guarded.clock.advance(3_000);
    await expect(events.next('beat')).resolves.toBeNull();
  });

  it('come in larger steps where there is much to look at', async () => {
    const { guarded, events } = await open({ ...keyed, maxKeys: 1_000 });
    for (let key = 0; key < 1_000; key += 1) await guarded.get(`key ${key}`);
    await events.next('rows');
    guarded.clock.advance(1_000);
    expect((await events.next('rows'))?.rows).toHaveLength(1_000);
    await guarded.get('key 7');
    guarded.clock.advance(4_000);
    await trip(guarded, 'key 8');
    guarded.clock.advance(100);
    await expect(events.next('rows')).resolves.toMatchObject({ rows: [{ key: 'key 8' }] });
    guarded.clock.advance(900);
    await expect(events.next('rows')).resolves.toMatchObject({ rows: [{ key: 'key 7' }] });
  });

  it('end with the page', async () => {
    const { page, events } = await open();
    await events.next('rows');
    page.close();
    await expect(events.next('rows')).resolves.toBeUndefined();
  });

  it('never pile up for a client that takes none, which is let go', async () => {
    const guarded = createGuarded({ ...keyed, name: 'n'.repeat(1_000) });
    const page = createPage([guarded.breaker], { clock: guarded.clock });
    const answered = jest.fn<undefined, [ServerResponse]>();
    const { url } = await serve((request, response) => {
      answered(response);
      page(request, response);
    });
    const lazy = connect(Number(new URL(url).port), '127.0.0.1').pause();
    lazy.on('error', () => undefined);
    lazy.write('GET /events HTTP/1.1\r\nhost: here\r\n\r\n');
    let most = 0;
    for (let second = 1; second <= 120; second += 1) {
      for (let key = 1; key <= 50; key += 1) await guarded.get(`${'k'.repeat(990)} ${key}`);
      guarded.clock.advance(1_000);
      await sleep(1);
      most = Math.max(most, answered.mock.lastCall?.[0].writableLength ?? 0);
    }
    lazy.destroy();
    expect(most).toBeGreaterThan(100_000);
    expect(most).toBeLessThan(1_000_000);
    expect(answered.mock.lastCall?.[0].destroyed).toBe(true);
  });

  it('keep no place for a client that is gone before it is served', async () => {
    const page = createPage();
    const reached = jest.fn();
    const sockets: Socket[] = [];
    let asked = 0;
    const server = await serve((request, response) => {
      request.socket.once('close', () => {
        page(request, response);
        reached();
      });
      asked += 1;
      if (asked === 101) for (const socket of sockets) socket.destroy();
    });
    const { port } = new URL(server.url);
    for (let client = 1; client <= 101; client += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET /events HTTP/1.1\r\nhost: here\r\n\r\n');
      sockets.push(socket);
    }
    while (reached.mock.calls.length < 101) await sleep(5);
    const { url } = await serve(page);
    const events = await openEvents(url);
    expect(events.response.status).toBe(200);
    events.close();
  });

  it('come through express and its parsers', async () => {
    const guarded = createGuarded();
    const app = express();
    app.use(express.json());
    app.use('/breakers', createPage([guarded.breaker], { clock: guarded.clock }));
    const { url } = await serve(app);
    const events = await openEvents(`${url}/breakers`);
    await expect(events.next('rows')).resolves.toMatchObject({ isFirst: true });
  });

  it('are told to a hundred at once, and the next one is asked to come back', async () => {
    const { url } = await serve(createPage());
    const all = await Promise.all(Array.from({ length: 100 }, () => openEvents(url)));
    const refused = await fetch(`${url}/events`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    all[0]?.close();
    const until = Date.now() + 5_000;
    let status = 503;
    while (status === 503 && Date.now() < until) {
      const events = await openEvents(url);
      status = events.response.status;
      events.close();
    }
    expect(status).toBe(200);
    for (const events of all) events.close();
  });
});
