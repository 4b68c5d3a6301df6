import { inChromium } from '../support/chromium.js';
import { until } from '../test-server/exchange.js';
import { openPage, servePages, startApi } from './pages.js';

servePages();

inChromium('a breaker without Node', (openTab) => {
  it('keeps time by itself', async () => {
    const api = await startApi([]);
    api.script('/', [503, 200]);
    const { page, complaints } = await openPage(openTab);
    const told = await page.evaluate(async (baseURL) => {
      const client = kit.axios.create({ baseURL });
      const breaker = new kit.CircuitBreakerWithEmitter(client, {
        consecutiveFailures: 1,
        halfOpen: false,
        cooldown: 100,
        cooldownJitter: 0,
      });
      const closed = new Promise<string>((resolve) => {
        breaker.once('CLOSE', ({ reason }) => resolve(reason));
      });
      await client.get('/').catch(() => undefined);
      const reason = await closed;
      const { status } = await client.get('/');
      return [reason, status];
    }, api.url);
    expect(told).toEqual(['cooldown-elapsed', 200]);
    expect(complaints()).toEqual([]);
  });

  it('is the same when it is minified: errors have their names, and no log a secret', async () => {
    const api = await startApi([]);
    const { page } = await openPage(openTab);
    const logged = await page.evaluate(async (baseURL) => {
      const { client, breaker } = kit.start({ baseURL });
      breaker.open();
      const error: unknown = await client
        .get('/me?token=secret')
        .catch((thrown: unknown) => thrown);
      return { name: (error as Error).name, text: String(error), json: JSON.stringify(error) };
    }, api.url);
    expect(logged).toMatchObject({
      name: 'BreakerOpenError',
      text: 'BreakerOpenError: Circuit breaker is open',
    });
    expect(JSON.parse(logged.json)).toMatchObject({ origin: api.url, path: '/me' });
    expect(logged.json).not.toContain('secret');
  });

  it('works in a worker, which has no `window`', async () => {
    const api = await startApi([]);
    api.script('/', [503, 200]);
    const { page, complaints } = await openPage(openTab);
    const got = await page.evaluate((baseURL) => {
      const work = async (url: string) => {
        const { send, clock } = kit.start({ baseURL: url }, { consecutiveFailures: 1 });
        const sent = [await send(), await send()];
        clock.advance(1_000);
        return [...sent, await send(), typeof window];
      };
      const code = `
        importScripts('${location.origin}/kit.js');
        (${work.toString()})('${baseURL}').then(postMessage, (error) => postMessage(String(error)));
      `;
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      return new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
      });
    }, api.url);
    expect(got).toEqual(['ERR_BAD_RESPONSE', 'refused', 200, 'undefined']);
    expect(complaints()).toEqual([]);
  });

  it('leaves it to the caller to abort a stream of fetch that has begun', async () => {
    const api = await startApi([]);
    api.script('/', [{ behaviour: 'silent-body' }]);
    const { page, complaints } = await openPage(openTab);
    const got = await page.evaluate(async (baseURL) => {
      const { client, told } = kit.start({ baseURL, adapter: 'fetch' }, { requestTimeout: 60_000 });
      const controller = new AbortController();
      const config = { responseType: 'stream', signal: controller.signal } as const;
      const { data } = await client.get<ReadableStream<unknown>>('/', config);
      const reader = data.getReader();
      const { done } = await reader.read();
      controller.abort();
      const end = await reader.read().catch((error: unknown) => (error as Error).name);
      return { done, end, told };
    }, api.url);
    expect(got).toEqual({ done: false, end: 'CanceledError', told: ['SUCCESS'] });
    await until(() => api.requests()[0]?.aborted === true, 20_000);
    expect(complaints()).toEqual([]);
  });

  it('needs no `process`, and warns on the console of a listener that throws', async () => {
    const api = await startApi([]);
    api.script('/', [503]);
    const { page, complaints } = await openPage(openTab);
    const found = await page.evaluate(async (baseURL) => {
      const { breaker, send, told } = kit.start({ baseURL }, { consecutiveFailures: 1 });
      breaker.on('OPEN', () => {
        throw new Error('no room');
      });
      breaker.on('REFUSE', () => Promise.reject(new Error('no time')));
      await send();
      await send();
      return { told, process: typeof process, require: typeof require };
    }, api.url);
    expect(found).toEqual({
      told: ['FAILURE', 'OPEN consecutive 1000', 'REFUSE'],
      process: 'undefined',
      require: 'undefined',
    });
    expect(complaints()).toEqual([
      'CircuitBreakerWarning: listener:OPEN threw: no room',
      'CircuitBreakerWarning: listener:REFUSE threw: no time',
    ]);
  });
});
