import { createPage, serve } from '../pages.js';
import { inChromium } from '../../support/chromium.js';
import { createReal } from './real-breaker.js';

inChromium('the page, when its server', (openTab) => {
  it('restarts, comes back by itself and keeps what was selected', async () => {
    const first = createReal({ name: 'orders' });
    const before = createPage([createReal({ name: 'gone' }).breaker, first.breaker]);
    const { stop, url } = await serve(before);
    const { page, complaints } = await openTab(url);
    const toggle = page.getByRole('button', { name: 'orders' });
    await toggle.click();
    await toggle.focus();

    before.close();
    await stop();
    const second = createReal({ name: 'orders' });
    second.breaker.open();
    await serve(createPage([second.breaker]), Number(new URL(url).port));

    await page.getByText('orders: forced open, by hand.').waitFor({ state: 'attached' });
    await page.getByText('Live', { exact: true }).waitFor();
    await expect(page.getByRole('row', { name: 'gone' }).count()).resolves.toBe(0);
    await expect(toggle.getAttribute('aria-expanded')).resolves.toBe('true');
    await expect(toggle.evaluate((one) => one === document.activeElement)).resolves.toBe(true);
    await page.locator('.chart .lane-forced-open').waitFor({ state: 'attached' });
    // Chromium itself complains where it asks while nobody listens.
    expect(complaints.filter((text) => !text.includes('net::ERR_'))).toEqual([]);
  });

  it('is away for long or answers nonsense, says so, shows what was known, and comes back', async () => {
    const { breaker } = createReal({ name: 'orders' });
    const before = createPage([breaker]);
    const { stop, url } = await serve(before);
    const port = Number(new URL(url).port);
    const { page } = await openTab(url);
    await page.getByRole('row', { name: 'orders' }).waitFor();

    before.close();
    await stop();
    await page.getByText('Reconnecting').waitFor();
    await page
      .getByText(/^The server cannot be reached\. This is what was known at [\d:]+\.$/)
      .waitFor();
    await expect(page.getByRole('row', { name: 'orders' }).isVisible()).resolves.toBe(true);
    const proxy = await serve((_request, response) => void response.writeHead(502).end('no'), port);
    await new Promise((asked) => proxy.server.once('request', asked));
    await proxy.stop();
    await serve(createPage([breaker]), port);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('The server cannot be reached').waitFor({ state: 'hidden' });
  });

  it('falls silent without a word, is asked again', async () => {
    const { breaker } = createReal({ name: 'orders' });
    const status = createPage([breaker]);
    let asked = 0;
    const { url } = await serve((request, response) => {
      if (request.url !== '/events') {
        status(request, response);
        return;
      }
      asked += 1;
      // The first answer never goes on.
      if (asked > 1) {
        status(request, response);
        return;
      }
      response.setHeader('content-type', 'text/event-stream').write(': hello\n\n');
    });
    const { page } = await openTab('about:blank');
    await page.clock.install();
    await page.goto(url);
    await page.getByText('Connecting').waitFor();
    await page.clock.runFor(14_000);
    await page.getByRole('row', { name: 'orders' }).waitFor();
    expect(asked).toBe(2);
  });
});
