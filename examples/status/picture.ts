import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chromium } from 'playwright-core';

/** Debian's; the flags keep it from asking the network for anything of its own. */
const browser = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // Letters in grey take half the space that those in colours do.
    '--disable-lcd-text',
  ],
};

/** Takes a picture of the page at that address, with its first circuit opened. */
export async function takePicture(url: string, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const started = await chromium.launch(browser);
  try {
    const page = await started.newPage({ viewport: { width: 1240, height: 760 } });
    await page.goto(url);
    await page.getByRole('button', { name: 'payments' }).click();
    await page.locator('.strip .lane-closed').first().waitFor({ state: 'attached' });
    await page.locator('.chart .lane-closed').waitFor({ state: 'attached' });
    await page.screenshot({
      path: file,
      clip: { x: 0, y: 0, width: 1240, height: 1010 },
      fullPage: true,
    });
  } finally {
    await started.close();
  }
}
