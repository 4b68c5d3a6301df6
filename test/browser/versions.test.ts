import { inChromium } from '../support/chromium.js';
import { openPage, servePages, startApi } from './pages.js';

const versions = ['axios-1.7.9', 'axios-1.5.1', 'axios-1.0.0', 'axios-0.27.2', 'axios-0.x'];

inChromium('a breaker on a page with another axios', (openTab) => {
  describe.each(versions)('%s', (version) => {
    servePages(version);

    it('opens for the stated time, refuses, ends what takes too long, and closes', async () => {
      const api = await startApi(['Retry-After']);
      api.script('/', [{ status: 429, headers: { 'retry-after': '7' } }, 200]);
      api.script('/silent', [{ behaviour: 'silent' }]);
      const { page, complaints } = await openPage(openTab);
      const got = await page.evaluate(async (baseURL) => {
        const { send, clock, told } = kit.start({ baseURL }, { requestTimeout: 3_000 });
        const sent = [await send(), await send()];
        clock.advance(7_000);
        sent.push(await send());
        const silent = send({ url: '/silent' });
        // The request is under way once all that axios awaits before it is over.
        await new Promise((resolve) => setTimeout(resolve));
        clock.advance(3_000);
        return { sent: [...sent, await silent], told, version: kit.axios.VERSION };
      }, api.url);
      expect(got).toMatchObject({
        sent: ['ERR_BAD_REQUEST', 'refused', 200, 'TimeoutError'],
        told: [
          'FAILURE',
          'OPEN rate-limit 7000',
          'REFUSE',
          'CLOSE cooldown-elapsed 7000',
          'SUCCESS',
          'FAILURE',
        ],
      });
      expect(version).toContain(got.version.replace(/^0\.3.*/, '0.x'));
      expect(complaints()).toEqual([]);
    });
  });
});
