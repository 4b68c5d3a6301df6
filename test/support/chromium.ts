import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { needs } from './needs.js';

const executablePath = '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  // They keep it from asking the network for anything of its own.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Hosts of this machine that are no secure context, as localhost is.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];

export interface Tab {
  readonly page: Page;
  /** What the console was told of errors and warnings. */
  readonly complaints: readonly string[];
}

export type OpenTab = (url: string, options?: BrowserContextOptions) => Promise<Tab>;

/** Tests in Chromium, each with tabs of its own; left out where there is none. */
export function inChromium(title: string, tests: (openTab: OpenTab) => void): void {
  needs('chromium')(title, () => {
    let browser: Browser;
    beforeAll(async () => void (browser = await chromium.launch({ executablePath, args })));
    afterAll(() => browser.close());
    afterEach(async () => {
      for (const context of browser.contexts()) await context.close();
    });

    tests(async (url, options) => {
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      await page.goto(url);
      return { page, complaints };
    });
  });
}
