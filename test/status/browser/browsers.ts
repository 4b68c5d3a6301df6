import axios from 'axios';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../../src/index.js';
import { needs } from '../../support/needs.js';

const executablePath = '/usr/bin/chromium';
/** They keep it from asking the network for anything of its own. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
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

/** A breaker in real time, which opens at the first failure, and the status that its server answers with. */
export function createReal(options: CircuitBreakerOptions = {}) {
  const server = { status: 200 };
  const client = axios.create({
    adapter: (config) => {
      const { status } = server;
      const response = { status, statusText: '', headers: {}, data: {}, config };
      if (status < 400) return Promise.resolve(response);
      return Promise.reject(new axios.AxiosError(`status ${status}`, 'ERR', config, {}, response));
    },
  });
  const breaker = new CircuitBreaker(client, {
    consecutiveFailures: 1,
    cooldown: 60_000,
    ...options,
  });
  const get = (url = '/') =>
    client.get(url).then(
      () => undefined,
      () => undefined,
    );
  return { breaker, server, get };
}

export const keyed = { key: ({ url = '' }: { url?: string }) => url };
