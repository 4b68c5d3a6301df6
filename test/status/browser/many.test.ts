import { createPage, serve } from '../pages.js';
import { inChromium } from '../../support/chromium.js';
import { createReal, keyed } from './real-breaker.js';

const count = 1_000;

async function createMany() {
  const many = createReal({ ...keyed, name: 'tenants', maxKeys: count });
  for (let key = 1; key <= count; key += 1) await many.get(`tenant-${key}`);
  return many;
}

inChromium('the page of a thousand circuits', (openTab) => {
  it('draws those that can be seen, and shows the others on demand', async () => {
    const { breaker } = await createMany();
    const { url } = await serve(createPage([breaker]));
    const { page, complaints } = await openTab(url);
    await page.getByText('All 1,000 circuits are closed').waitFor();
    const rows = page.locator('tr.circuit');
    await expect(rows.count()).resolves.toBe(50);
    await page.getByText('50 of 1,000 circuits are shown.').waitFor();
    await page.locator('.strip path').first().waitFor({ state: 'attached' });
    const drawn = await page.locator('.strip:has(path)').count();
    expect(drawn).toBeGreaterThan(5);
    expect(drawn).toBeLessThan(40);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(rows.count()).resolves.toBe(100);
    await expect(page.locator('*').count()).resolves.toBeLessThan(4_000);
    expect(complaints).toEqual([]);
  });

  it('has the worst first, wherever it was', async () => {
    const { breaker, server, get } = await createMany();
    const { url } = await serve(createPage([breaker]));
    const { page } = await openTab(url);
    await page.getByText('All 1,000 circuits are closed').waitFor();
    server.status = 503;
    await get('tenant-777');
    await page.getByText('1 of 1,000 circuits refuses requests').waitFor();
    await expect(page.locator('tr.circuit').first().innerText()).resolves.toContain('tenant-777');
    await page.getByRole('button', { name: 'Open 1' }).click();
    await expect(page.locator('tr.circuit').count()).resolves.toBe(1);
    breaker.close('tenant-777');
    await page.getByText('No circuit is like that.').waitFor();
    await page.getByRole('button', { name: 'Open 0' }).click();
    await expect(page.locator('tr.circuit').count()).resolves.toBe(50);
  });

  it('is searched by words and put in another order', async () => {
    const { breaker, server, get } = await createMany();
    const { url } = await serve(createPage([breaker]));
    const { page } = await openTab(url);
    await page.getByText('All 1,000 circuits are closed').waitFor();
    const names = async () => {
      const all = await page.locator('.toggle .key').allInnerTexts();
      return all.slice(0, 3);
    };
    await expect(names()).resolves.toEqual(['tenant-1', 'tenant-2', 'tenant-3']);
    const search = page.getByRole('searchbox', { name: 'Find' });
    await search.fill('TENANT-99 tenants');
    await expect(names()).resolves.toEqual(['tenant-99', 'tenant-990', 'tenant-991']);
    await search.press('Enter');
    expect(new URL(page.url()).search).toBe('');
    server.status = 503;
    for (const key of ['tenant-991', 'tenant-995', 'tenant-995']) await get(key);
    await page.getByText('2 of 1,000 circuits refuse requests').waitFor();
    await expect(names()).resolves.toEqual(['tenant-991', 'tenant-995', 'tenant-99']);
    await page.getByRole('combobox', { name: 'Order' }).selectOption('By name');
    await expect(names()).resolves.toEqual(['tenant-99', 'tenant-990', 'tenant-991']);
    await search.fill('nobody');
    await page.getByText('No circuit is like that.').waitFor();
  });
});
