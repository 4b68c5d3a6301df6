import { inChromium } from '../support/chromium.js';
import { adapters, openPage, servePages, startApi } from './pages.js';

servePages();

inChromium('a fallback in a browser', (openTab) => {
  describe.each(adapters)('where axios sends by %s', (adapter) => {
    it('gives what is always the same', async () => {
      const api = await startApi([]);
      const { page, complaints } = await openPage(openTab);
      const got = await page.evaluate(
        async (config) => {
          const { client, breaker } = kit.start(config, { fallback: kit.staticFallback([1]) });
          breaker.open();
          const { data, status, fallback } = await client.get<unknown>('/');
          return { data, status, fallback };
        },
        { adapter, baseURL: api.url },
      );
      expect(got).toEqual({ data: [1], status: 200, fallback: 'static' });
      expect(api.hits()).toBe(0);
      expect(complaints()).toEqual([]);
    });

    it('holds requests until the circuit closes', async () => {
      const api = await startApi([]);
      api.script('/', [503, 200]);
      const { page, complaints } = await openPage(openTab);
      const rig = await page.evaluateHandle(
        (config) => kit.start(config, { consecutiveFailures: 1, fallback: kit.holdUntilClosed() }),
        { adapter, baseURL: api.url },
      );
      const held = await rig.evaluateHandle(async ({ send }) => {
        await send();
        return { sent: [send(), send(), send()] };
      });
      expect(api.hits()).toBe(1);
      const got = await held.evaluate(async ({ sent }, { clock, breaker }) => {
        clock.advance(1_000);
        return [...(await Promise.all(sent)), breaker.getState()];
      }, rig);
      expect(got).toEqual(['hold', 'hold', 'hold', 'closed']);
      expect(api.hits()).toBe(4);
      expect(complaints()).toEqual([]);
    });

    it('serves the last good answer to who was given it, and to nobody else', async () => {
      const api = await startApi([]);
      api.script('/', [{ body: { text: 'kept' } }]);
      const { page, complaints } = await openPage(openTab);
      const got = await page.evaluate(
        async (config) => {
          const { client, breaker } = kit.start(config, { fallback: kit.serveStale() });
          const ask = (user: string) =>
            client.get<unknown>('/', { headers: { Authorization: user } }).then(
              ({ data, fallback }) => ({ data, fallback }),
              (error: unknown) => (error as Error).message,
            );
          await ask('alice');
          breaker.open();
          // What says who asked is hashed first, which takes a moment.
          let alices = await ask('alice');
          while (typeof alices === 'string') {
            await new Promise((resolve) => setTimeout(resolve, 10));
            alices = await ask('alice');
          }
          return [alices, await ask('bob'), isSecureContext];
        },
        { adapter, baseURL: api.url },
      );
      expect(got).toEqual([
        { data: { text: 'kept' }, fallback: 'stale' },
        'Circuit breaker is open',
        true,
      ]);
      expect(api.hits()).toBe(1);
      expect(complaints()).toEqual([]);
    });

    it.each(['blob', 'arraybuffer', 'text'] as const)('serves a last good %s', async (type) => {
      const api = await startApi([]);
      api.script('/', [{ body: 'kept' }]);
      const { page, complaints } = await openPage(openTab);
      const got = await page.evaluate(
        async ({ type, ...config }) => {
          const { client, breaker } = kit.start(
            { ...config, responseType: type },
            { fallback: kit.serveStale() },
          );
          await client.get('/');
          breaker.open();
          const { data, fallback } = await client.get<BlobPart>('/');
          return [await new Blob([data]).text(), fallback, Object.prototype.toString.call(data)];
        },
        { type, adapter, baseURL: api.url },
      );
      const tags = { blob: 'Blob', arraybuffer: 'ArrayBuffer', text: 'String' };
      expect(got).toEqual(['kept', 'stale', `[object ${tags[type]}]`]);
      expect(complaints()).toEqual([]);
    });

    it.each([
      ['exposes', ['Vary'], 'refused'],
      ['hides', [], 'stale'],
    ])(
      'tells answers apart by what they vary by, if the API %s it: %j',
      async (_, exposed, got) => {
        const api = await startApi(exposed);
        api.script('/', [{ headers: { vary: 'Accept' } }]);
        const { page, complaints } = await openPage(openTab);
        const sent = await page.evaluate(
          async (config) => {
            const { breaker, send } = kit.start(config, { fallback: kit.serveStale() });
            const accept = (Accept: string) => send({ url: '/', headers: { Accept } });
            const first = await accept('application/json');
            breaker.open();
            return [first, await accept('application/json'), await accept('text/html')];
          },
          { adapter, baseURL: api.url },
        );
        expect(sent).toEqual([200, 'stale', got]);
        expect(complaints()).toEqual([]);
      },
    );

    it('keeps on a page of plain HTTP only what nobody has to be known for', async () => {
      const api = await startApi([]);
      const { page, complaints } = await openPage(openTab, 'page.test');
      const got = await page.evaluate(
        async (config) => {
          const { breaker, send } = kit.start(config, { fallback: kit.serveStale() });
          const open = { url: '/status/200' };
          const alices = { ...open, headers: { Authorization: 'alice' } };
          const sent = [await send(open), await send(alices)];
          breaker.open();
          return [...sent, await send(open), await send(alices), isSecureContext];
        },
        { adapter, baseURL: api.url },
      );
      expect(got).toEqual([200, 200, 'stale', 'refused', false]);
      expect(complaints()).toEqual([]);
    });
  });

  it('tells the circuits of origins apart, and a URL without one is of the page', async () => {
    const api = await startApi([]);
    api.script('/', [503]);
    const { page, complaints } = await openPage(openTab);
    const got = await page.evaluate(async (url) => {
      const { breaker, send } = kit.start({}, { key: 'origin', consecutiveFailures: 1 });
      return [await send({ url }), await send({ url }), await send(), breaker.keys()];
    }, `${api.url}/`);
    expect(got).toEqual(['ERR_BAD_RESPONSE', 'refused', 200, [api.url, 'default']]);
    expect(complaints()).toEqual([]);
  });
});
