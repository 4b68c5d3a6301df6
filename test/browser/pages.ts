import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../test-server/start.js';
import type { OpenTab } from '../support/chromium.js';
import type { Kit } from './kit.js';

declare global {
  // In the pages alone.
  var kit: Kit;
}

/** The adapters that axios has for browsers. */
export const adapters = ['xhr', 'fetch'] as const;

const root = resolve(__dirname, '../..');

/** A bundle has of the package what its users have: what is built. */
const built: Plugin = {
  name: 'built',
  setup: (build) => {
    build.onResolve({ filter: /^\.\.\/\.\.\/src\// }, ({ path }) => ({
      path: join(root, 'dist/esm', path.slice('../../src/'.length)),
    }));
  },
};

/** The kit for a page, with that version of axios. @throws Error where the package needs what browsers have not. */
async function bundle(axiosPackage: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/browser/kit.ts')],
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    alias: { axios: axiosPackage },
    plugins: [built],
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

let home: TestServer;
const servers: TestServer[] = [];

/** For the tests of a file or a block: where their pages are. */
export function servePages(axiosPackage = 'axios'): void {
  beforeAll(async () => {
    home = await startTestServer();
    const script = {
      body: await bundle(axiosPackage),
      headers: { 'content-type': 'text/javascript' },
    };
    home.script('/kit.js', [script]);
    const html = '<!doctype html><title>A page</title><script src="kit.js"></script>';
    home.script('/', [{ body: html, headers: { 'content-type': 'text/html' } }]);
    home.script('/favicon.ico', [204]);
  });
  afterAll(() => home.close());
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
}

/** A server of another origin than the page's, which may read of its headers those that are `exposed`. */
export async function startApi(exposed?: readonly string[]): Promise<TestServer> {
  const server = await startTestServer(0, exposed && { exposed });
  servers.push(server);
  return server;
}

/** What a browser says by itself of each request that did not end well. */
const ofRequests = /^(Failed to load resource|Access to (XMLHttpRequest|fetch) at)/;

export interface OpenPage {
  readonly page: Page;
  /** What the console was told by the page, not by the browser. */
  readonly complaints: () => string[];
}

/** @param host - of the page; `localhost` makes it a secure context, `page.test` does not. */
export async function openPage(openTab: OpenTab, host = 'localhost'): Promise<OpenPage> {
  const { page, complaints } = await openTab(`http://${host}:${home.port}/`);
  return { page, complaints: () => complaints.filter((text) => !ofRequests.test(text)) };
}
