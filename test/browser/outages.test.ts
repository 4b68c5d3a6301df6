import { inChromium } from '../support/chromium.js';
import { until } from '../test-server/exchange.js';
import { adapters, openPage, servePages, startApi } from './pages.js';

/** How long a browser may take on a busy machine, in ms. */
const patience = 20_000;

servePages();

inChromium('a breaker in a browser', (openTab) => {
  describe.each(adapters)('whose axios sends by %s', (adapter) => {
    it('opens at the first 429, sends nothing while open, and closes by the clock', async () => {
      const api = await startApi([]);
      api.script('/', [200, 429, 200]);
      const { page, complaints } = await openPage(openTab);
      const rig = await page.evaluateHandle(
        (config) =>
          kit.start(config, {
            timeout: 10_000,
            errorHandler: (error) => error.response?.status === 429,
          }),
        { adapter, baseURL: api.url },
      );
      const sent = await rig.evaluate(async ({ send }) => [
        await send(),
        await send(),
        await send(),
        await send(),
      ]);
      expect(sent).toEqual([200, 'ERR_BAD_REQUEST', 'refused', 'refused']);
      expect(api.hits()).toBe(2);
      await expect(rig.evaluate(({ breaker }) => breaker.getStatus())).resolves.toBe(true);

      const after = await rig.evaluate(({ clock, send }) => {
        clock.advance(10_000);
        return send();
      });
      expect(after).toBe(200);
      expect(api.hits()).toBe(3);
      await expect(rig.evaluate(({ told }) => told)).resolves.toEqual([
        'SUCCESS',
        'FAILURE',
        'OPEN rate-limit 10000',
        'REFUSE',
        'REFUSE',
        'CLOSE cooldown-elapsed 10000',
        'SUCCESS',
      ]);
      expect(complaints()).toEqual([]);
    });

    it('opens at five failures in a row, and closes by a probe', async () => {
      const api = await startApi([]);
      api.script('/', [503, 503, 503, 503, 503, 503, 200]);
      const { page, complaints } = await openPage(openTab);
      const rig = await page.evaluateHandle((config) => kit.start(config), {
        adapter,
        baseURL: api.url,
      });
      const told = await rig.evaluate(async ({ send, clock, told }) => {
        for (let request = 1; request <= 6; request += 1) await send();
        clock.advance(1_000);
        await send();
        clock.advance(2_000);
        await Promise.all([send(), send()]);
        return told.filter((event) => !['SUCCESS', 'FAILURE'].includes(event));
      });
      expect(told).toEqual([
        'OPEN consecutive 1000',
        'REFUSE',
        'HALF_OPEN',
        'OPEN probe-failed 2000',
        'HALF_OPEN',
        'REFUSE',
        'CLOSE probes-passed 3000',
      ]);
      expect(api.hits()).toBe(7);
      expect(complaints()).toEqual([]);
    });

    it('takes a server that is down, and one that hides its answers, for failures', async () => {
      const hiding = await startApi();
      const down = await startApi([]);
      await down.close();
      const { page, complaints } = await openPage(openTab);
      for (const { url } of [hiding, down]) {
        const rig = await page.evaluateHandle((config) => kit.start(config), {
          adapter,
          baseURL: url,
        });
        const sent = await rig.evaluate(async ({ send }) => {
          const outcomes: unknown[] = [];
          for (let request = 1; request <= 6; request += 1) outcomes.push(await send());
          return outcomes;
        });
        const network = 'ERR_NETWORK';
        expect(sent).toEqual([network, network, network, network, network, 'refused']);
        await expect(rig.evaluate(({ told }) => told.slice(-2))).resolves.toEqual([
          'OPEN consecutive 1000',
          'REFUSE',
        ]);
      }
      expect(hiding.hits()).toBe(5);
      expect(complaints()).toEqual([]);
    });

    it('does not count what the caller aborts, and counts timeouts', async () => {
      const api = await startApi([]);
      api.script('/', [{ behaviour: 'silent' }]);
      const { page, complaints } = await openPage(openTab);
      const rig = await page.evaluateHandle((config) => kit.start(config), {
        adapter,
        baseURL: api.url,
      });
      const abortable = await rig.evaluateHandle(({ send }) => {
        const controller = new AbortController();
        const source = kit.axios.CancelToken.source();
        // Chromium sends requests for one URL one after the other.
        const sent = [
          send({ url: '/?signal', signal: controller.signal }),
          send({ url: '/?token', cancelToken: source.token }),
        ];
        return { controller, source, sent };
      });
      await until(() => api.hits() === 2, patience);
      const aborted = await abortable.evaluate(({ controller, source, sent }) => {
        controller.abort();
        source.cancel();
        return Promise.all(sent);
      });
      expect(aborted).toEqual(['ERR_CANCELED', 'ERR_CANCELED']);
      await expect(rig.evaluate(({ told }) => told)).resolves.toEqual(['IGNORE', 'IGNORE']);

      await rig.evaluate(async ({ send }) => {
        const circuitBreaker = { requestTimeout: 60_000 };
        await send({ url: '/', signal: AbortSignal.abort() });
        await send({ url: '/', signal: AbortSignal.timeout(50) });
        await send({ url: '/', signal: AbortSignal.timeout(50), circuitBreaker });
        await send({ url: '/', timeout: 50 });
      });
      await expect(rig.evaluate(({ told }) => told.slice(2))).resolves.toEqual([
        'FAILURE',
        'FAILURE',
        'FAILURE',
      ]);
      expect(complaints()).toEqual([]);
    });

    it('ends an exchange for real when `requestTimeout` has passed', async () => {
      const api = await startApi([]);
      api.script('/', [{ behaviour: 'silent' }]);
      const { page, complaints } = await openPage(openTab);
      const rig = await page.evaluateHandle(
        (config) => kit.start(config, { requestTimeout: 3_000, consecutiveFailures: 1 }),
        { adapter, baseURL: api.url },
      );
      const pending = await rig.evaluateHandle(({ send }) => ({ sent: send() }));
      await until(() => api.hits() === 1, patience);
      expect(api.requests()[0]).toMatchObject({ aborted: false });
      await rig.evaluate(({ clock }) => clock.advance(3_000));
      await expect(pending.evaluate(({ sent }) => sent)).resolves.toBe('TimeoutError');
      await until(() => api.requests()[0]?.aborted === true, patience);
      await expect(rig.evaluate(({ told }) => told)).resolves.toEqual([
        'FAILURE',
        'OPEN consecutive 1000',
      ]);
      expect(complaints()).toEqual([]);
    });
  });
});
