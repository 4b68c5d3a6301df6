import express from 'express';
import { createGuarded, trip } from '../guarded.js';
import { createPage, serve } from '../pages.js';
import { inChromium } from '../../support/chromium.js';
import { createReal, keyed } from './real-breaker.js';

inChromium('the page', (openTab) => {
  it('shows every circuit, with its state and figures, and complains of nothing', async () => {
    const { breaker, get } = createReal({ name: 'orders' });
    const { url } = await serve(createPage([breaker], { title: 'Shop' }));
    await get();
    const { page, complaints } = await openTab(url);
    const row = page.getByRole('row', { name: 'orders' });
    await row.waitFor();
    const cells = await row.getByRole('cell').allInnerTexts();
    expect(cells).toEqual([
      'Closed',
      '',
      '0 %',
      '0 %',
      '0',
      '0',
      '0',
      expect.any(String),
      expect.any(String),
    ]);
    expect(cells.slice(-2).join()).toMatch(/^\d+(\.\d)? ms,\d+(\.\d)? ms$/);
    const headings = await page.getByRole('heading').allInnerTexts();
    expect(headings).toEqual(['Shop', 'The circuit is closed']);
    await expect(page.getByText('Live', { exact: true }).isVisible()).resolves.toBe(true);
    expect(complaints).toEqual([]);
  });

  it('shows OPEN within a second of the event, tells screen readers, and draws it', async () => {
    const { breaker, server, get } = createReal({ name: 'orders' });
    const { url } = await serve(createPage([breaker]));
    const { page, complaints } = await openTab(url);
    await page.getByText('The circuit is closed').waitFor();
    const seen = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const look = () => {
            if (document.querySelector('.badge')?.textContent === 'Open') resolve(Date.now());
          };
          new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
        }),
    );
    server.status = 503;
    await get();
    const openedAt = Date.now();
    expect(breaker.getState()).toBe('open');
    expect((await seen) - openedAt).toBeLessThan(1_000);
    await expect(page.locator('[aria-live=polite]').textContent()).resolves.toBe(
      'orders: open, failures in a row.',
    );
    await expect(page.title()).resolves.toBe('(1) Circuit breakers');
    await page.getByText(/failures in a row · next try in (60|5\d) s|1 min/).waitFor();
    await page.locator('.strip .lane-open').waitFor({ state: 'attached' });
    await page.locator('.strip .mark-failure').waitFor({ state: 'attached' });
    await get();
    await page.locator('.strip .mark-refused').waitFor({ state: 'attached' });
    breaker.close();
    await page.getByText('orders: closed.').waitFor({ state: 'attached' });
    await expect(page.title()).resolves.toBe('Circuit breakers');
    expect(complaints).toEqual([]);
  });

  it('draws one circuit large, with its last changes, and reads any moment by keyboard', async () => {
    const guarded = createGuarded({ name: 'orders' });
    const { url } = await serve(createPage([guarded.breaker], { clock: guarded.clock }));
    for (let time = 1; time <= 7; time += 1) await guarded.get();
    guarded.clock.advance(6_000);
    await trip(guarded);
    const { page } = await openTab(url);
    await page.getByRole('button', { name: 'orders' }).click();
    await page.locator('.chart .lane-open').waitFor({ state: 'attached' });
    const pictures = page.getByRole('img');
    const drawn = 'Last 10 minutes: open for 3 s, 7 succeeded, 3 failed, 0 refused';
    await expect(pictures.evaluateAll((all) => all.map((one) => one.ariaLabel))).resolves.toEqual([
      drawn,
      drawn,
    ]);
    await page.getByText('status 503 · ERR_BAD · status 503').waitFor();
    await page.getByRole('listitem').getByText('Open').waitFor();
    const slider = page.getByRole('slider', { name: 'Moment of the last 10 minutes' });
    const reading = () => slider.getAttribute('aria-valuetext');
    await expect(reading()).resolves.toMatch(
      /^[\d:]+: open – 0 succeeded, 3 failed, 0 refused in 3 s$/,
    );
    await slider.press('ArrowLeft');
    await slider.press('ArrowLeft');
    await expect(reading()).resolves.toMatch(
      /^[\d:]+: closed – 7 succeeded, 0 failed, 0 refused in 3 s$/,
    );
    await slider.press('Home');
    await expect(reading()).resolves.toMatch(/^[\d:]+: before this page was watching$/);
    await page.getByRole('button', { name: 'orders' }).click();
    await expect(slider.count()).resolves.toBe(0);
  });

  it('shows names and keys as text, whatever they hold', async () => {
    const attack =
      '<script>document.title="hacked"</script><img src=x onerror="document.title=\'hacked\'">';
    const { breaker, server, get } = createReal({ ...keyed, name: attack });
    server.status = 500;
    const keys = [`"'><b>bold</b>`, '${1+1}', '</td></tr></table>', '\u202Egnp.txt'];
    const { url } = await serve(createPage([breaker], { title: attack }));
    for (const key of keys) await get(key);
    const { page, complaints } = await openTab(url);
    await page.getByRole('row').nth(keys.length).waitFor();
    for (const key of keys) {
      const toggle = page.getByRole('button', { name: key });
      await expect(toggle.textContent()).resolves.toBe(`${attack} ${key}`);
      await toggle.click();
      await page.locator('.opened').waitFor();
    }
    await expect(page.locator('main script, main img, main b').count()).resolves.toBe(0);
    await expect(page.getByRole('heading', { level: 1 }).textContent()).resolves.toBe(attack);
    await expect(page.title()).resolves.toBe(`(4) ${attack}`);
    expect(complaints).toEqual([]);
  });

  it('is the same wherever it is mounted, behind body parsers too', async () => {
    const { breaker } = createReal({ name: 'orders' });
    const app = express();
    app.use(express.json(), express.urlencoded());
    app.use('/admin/breakers', createPage([breaker]));
    const { url } = await serve(app);
    for (const path of ['/admin/breakers', '/admin/breakers/', '/admin/breakers?from=mail#x']) {
      const { page, complaints } = await openTab(`${url}${path}`);
      await page.locator('.strip .lane-closed').waitFor({ state: 'attached' });
      expect(complaints).toEqual([]);
    }
  });

  it('shows the circuit that a link leads to, and minds no other', async () => {
    const all = ['orders', 'search'].map((name) => createReal({ name }).breaker);
    const { url } = await serve(createPage(all));
    const { page } = await openTab(url);
    await page.getByRole('button', { name: 'search' }).click();
    const link = page.url();
    const { page: other } = await openTab(link);
    const toggle = other.getByRole('button', { name: 'search', expanded: true });
    await toggle.waitFor();
    await other.locator('.chart .lane-closed').waitFor({ state: 'attached' });
    for (const hash of ['#%', '#nobody']) {
      const { page: broken, complaints } = await openTab(url + hash);
      await broken.getByText('All 2 circuits are closed').waitFor();
      expect(complaints).toEqual([]);
    }
  });

  it('says that there is nothing to show', async () => {
    const { url } = await serve(createPage());
    const { page, complaints } = await openTab(url);
    await page.getByText('No breaker is watched yet.').waitFor();
    expect(complaints).toEqual([]);
  });
});
