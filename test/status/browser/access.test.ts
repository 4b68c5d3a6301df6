import type { Page } from 'playwright-core';
import { createGuarded, trip } from '../guarded.js';
import { createPage, serve } from '../pages.js';
import { inChromium } from '../../support/chromium.js';
import { createReal, keyed } from './real-breaker.js';

const isFocused = (element: Element) => element === document.activeElement;

/** How far the page is wider than the window, in pixels. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

inChromium('the page for who has no mouse, or no eyes', (openTab) => {
  it('has landmarks, headings and a table with named columns', async () => {
    const { url } = await serve(createPage([createReal({ name: 'orders' }).breaker]));
    const { page } = await openTab(url);
    await page.getByRole('rowheader', { name: 'orders' }).waitFor();
    for (const landmark of ['banner', 'main', 'search', 'contentinfo'] as const) {
      await expect(page.getByRole(landmark).count()).resolves.toBe(1);
    }
    await expect(page.getByRole('table', { name: 'The circuit is closed' }).count()).resolves.toBe(
      1,
    );
    const columns = [
      'State',
      'Circuit',
      'Last 10 minutes',
      'Failed',
      'Slow',
      'Refused',
      'In flight',
      'Queued',
      'p50',
      'p95',
    ];
    await expect(page.getByRole('columnheader').allInnerTexts()).resolves.toEqual(columns);
    await expect(page.locator('html').getAttribute('lang')).resolves.toBe('en');
  });

  it('is the same table on a phone', async () => {
    const { url } = await serve(createPage([createReal({ name: 'orders' }).breaker]));
    const { page } = await openTab(url, { viewport: { width: 360, height: 740 } });
    await page.getByRole('rowheader', { name: 'orders' }).waitFor();
    await expect(page.getByRole('columnheader').count()).resolves.toBe(10);
    await expect(page.getByRole('row', { name: 'orders' }).getByRole('cell').count()).resolves.toBe(
      9,
    );
    await page.getByRole('button', { name: 'orders' }).click();
    await page.locator('.chart .lane-closed').waitFor({ state: 'attached' });
    await expect(overflow(page)).resolves.toBe(0);
  });

  it.each([320, 360, 600, 601, 820, 1_060, 1_061, 1_280, 1_920])(
    'is never wider than a window of %p pixels, however long its names are',
    async (width) => {
      const long = 'a-name-without-any-place-to-break-it-'.repeat(5);
      const guarded = createReal({ ...keyed, name: long });
      guarded.server.status = 500;
      await guarded.get(`https://${long}.example/with words and ${long}`);
      const { url } = await serve(createPage([guarded.breaker], { title: long }));
      const { page } = await openTab(url, { viewport: { width, height: 800 } });
      await page.getByRole('button', { name: long }).click();
      await page.locator('.chart .lane-open').waitFor({ state: 'attached' });
      await expect(overflow(page)).resolves.toBe(0);
    },
  );

  it('is used by keyboard, and shows where the focus is', async () => {
    const { url } = await serve(createPage([createReal({ name: 'orders' }).breaker]));
    const { page } = await openTab(url);
    const toggle = page.getByRole('button', { name: 'orders' });
    await toggle.waitFor();
    const stops: (string | null)[] = [];
    for (let time = 1; time <= 4; time += 1) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate(() => {
          const { id, className } = document.activeElement as HTMLElement;
          return id || className;
        }),
      );
    }
    expect(stops).toEqual(['filter', 'search', 'order', 'toggle']);
    const outline = await toggle.evaluate((one) => getComputedStyle(one, '::after').outlineStyle);
    expect(outline).toBe('solid');
    await expect(toggle.getAttribute('aria-expanded')).resolves.toBe('false');
    await page.keyboard.press('Enter');
    await expect(toggle.getAttribute('aria-expanded')).resolves.toBe('true');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('slider').evaluate(isFocused)).resolves.toBe(true);
  });

  it('keeps the focus on a row that moves', async () => {
    const { breaker } = createReal({ name: 'two' });
    const { url } = await serve(createPage([createReal({ name: 'one' }).breaker, breaker]));
    const { page } = await openTab(url);
    const toggle = page.getByRole('button', { name: 'two' });
    await toggle.focus();
    breaker.open();
    await page.locator('tr.circuit').first().getByText('two').waitFor();
    await expect(toggle.evaluate(isFocused)).resolves.toBe(true);
  });

  it('tells of many openings at once in one sentence', async () => {
    const { breaker, get } = createReal({ ...keyed, name: 'stock' });
    for (const key of ['a', 'b', 'c', 'd']) await get(key);
    const { url } = await serve(createPage([breaker]));
    const { page } = await openTab(url);
    await page.getByText('All 4 circuits are closed').waitFor();
    breaker.open();
    const told = page.locator('[aria-live=polite]');
    await told.getByText('opened').waitFor({ state: 'attached' });
    await expect(told.textContent()).resolves.toBe('4 circuits opened, 0 closed.');
  });

  it('tells states by word and shape, not by colour alone', async () => {
    const { clock } = createGuarded();
    const create = (name: string, options = {}) =>
      createGuarded({ name, halfOpen: {}, ...options }, clock);
    const half = create('half');
    const open = create('open');
    const forced = create('forced');
    const off = create('off');
    const watched = create('watched', { mode: 'observe' });
    const all = [half, open, forced, off, watched, create('fine')];
    await trip(half);
    clock.advance(10_000);
    await trip(open);
    await trip(watched);
    forced.breaker.open();
    off.breaker.disable();
    const { url } = await serve(
      createPage(
        all.map(({ breaker }) => breaker),
        { clock },
      ),
    );
    const { page } = await openTab(url);
    await page.getByText('2 of 6 circuits refuse requests').waitFor();
    const badges = page.locator('.badge');
    await expect(badges.allInnerTexts()).resolves.toEqual([
      'Open',
      'Forced open',
      'Half-open',
      'Would be open',
      'Disabled',
      'Closed',
    ]);
    const shapes = await badges
      .locator('use')
      .evaluateAll((uses) => uses.map((use) => use.getAttribute('href')));
    expect(new Set(shapes).size).toBe(6);
    for (const shape of shapes)
      await expect(page.locator(`symbol${shape}`).count()).resolves.toBe(1);
  });

  it('moves nothing by itself', async () => {
    const { url } = await serve(createPage([createReal().breaker]));
    const { page } = await openTab(url, { reducedMotion: 'reduce' });
    await page.getByRole('row', { name: 'default' }).waitFor();
    const moving = await page.evaluate(() => document.getAnimations().length);
    expect(moving).toBe(0);
  });
});
