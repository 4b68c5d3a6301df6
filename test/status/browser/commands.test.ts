import express from 'express';
import { createPage, serve, token } from '../pages.js';
import { inChromium } from '../../support/chromium.js';
import { createReal, keyed } from './real-breaker.js';

inChromium('the commands of the page', (openTab) => {
  it('are not there without `control`', async () => {
    const { url } = await serve(createPage([createReal({ name: 'orders' }).breaker]));
    const { page } = await openTab(url);
    await page.getByRole('button', { name: 'orders' }).click();
    await page.locator('.opened').waitFor();
    await expect(page.getByRole('group', { name: 'Commands' }).count()).resolves.toBe(0);
    await expect(page.locator('dialog').count()).resolves.toBe(0);
  });

  it('open and close by keyboard alone, with the token', async () => {
    const { breaker } = createReal({ name: 'orders' });
    const app = express();
    app.use(express.json());
    app.use('/breakers', createPage([breaker], { control: true, token }));
    const { url } = await serve(app);
    const { page, complaints } = await openTab(`${url}/breakers`);
    await page.getByRole('button', { name: 'orders' }).press('Enter');
    await page.getByRole('button', { name: 'Open…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Open orders' });
    await dialog.getByText('Every request is refused until it is closed by hand.').waitFor();
    await dialog.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByText('The circuit refuses requests').waitFor();
    expect(breaker.getState()).toBe('forced-open');
    await expect(dialog.isVisible()).resolves.toBe(false);

    const close = page.getByRole('button', { name: 'Close…' });
    await close.press('Enter');
    await page.keyboard.press('Escape');
    await expect(close.evaluate((one) => one === document.activeElement)).resolves.toBe(true);
    expect(breaker.getState()).toBe('forced-open');
    await close.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('The circuit is closed').waitFor();
    expect(breaker.getState()).toBe('closed');
    expect(complaints).toEqual([]);
  });

  it('do nothing with a wrong token, and say so', async () => {
    const { breaker } = createReal({ name: 'orders' });
    const { url } = await serve(createPage([breaker], { control: true, token }));
    const { page } = await openTab(url);
    await page.getByRole('button', { name: 'orders' }).click();
    await page.getByRole('button', { name: 'Disable…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disable orders' });
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await expect(dialog.isVisible()).resolves.toBe(true);
    for (const wrong of ['not-the-token-at-all', 'löwenzahn 🦁']) {
      await dialog.getByLabel('Token').fill(wrong);
      await dialog.getByRole('button', { name: 'Disable' }).click();
      await dialog
        .getByRole('alert')
        .getByText(/token is (wrong|no plain text)/)
        .waitFor();
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(breaker.getState()).toBe('closed');
  });

  it('go to one circuit, or to all of its breaker', async () => {
    const { breaker, get } = createReal({ ...keyed, name: 'stock' });
    for (const key of ['a', `b"'<`]) await get(key);
    const { url } = await serve(createPage([breaker], { control: true, token }));
    const { page } = await openTab(url);
    await page.getByRole('button', { name: `stock b"'<` }).click();
    await page.getByRole('button', { name: 'Open…' }).click();
    const dialog = page.getByRole('dialog', { name: `Open stock b"'<` });
    await dialog.getByLabel('Token').fill(token);
    await dialog.getByRole('button', { name: 'Open' }).click();
    await page.getByText('1 of 2 circuits refuses requests').waitFor();
    expect(['a', `b"'<`].map((key) => breaker.getState(key))).toEqual(['closed', 'forced-open']);
    await page.getByRole('button', { name: 'Open…' }).click();
    await dialog.getByRole('checkbox', { name: 'All circuits of this breaker' }).check();
    await dialog.getByRole('button', { name: 'Open' }).click();
    await page.getByText('2 of 2 circuits refuse requests').waitFor();
    expect(breaker.getState('yet to come')).toBe('forced-open');
  });
});
