import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, type BuildOptions } from 'esbuild';
import { pack, place, type Consumer } from './consumer.js';
import { pageScript, printed, programs } from './programs.js';

jest.setTimeout(60_000);

describe('the packed package in a bundle of esbuild', () => {
  let consumer: Consumer;
  beforeAll(async () => {
    const packed = await pack();
    consumer = await place(packed, 'axios', 'prom-client', '@opentelemetry/api', 'bullmq');
    await packed.remove();
  });
  afterAll(() => consumer.remove());

  async function bundle(file: string, code: string, options: BuildOptions): Promise<string> {
    await consumer.write(file, code);
    const outfile = join(consumer.folder, `bundled-${file}.cjs`);
    const entryPoints = [join(consumer.folder, file)];
    const { warnings } = await build({ ...options, entryPoints, outfile, bundle: true });
    expect(warnings).toEqual([]);
    return outfile;
  }

  it.each([
    ['import', 'loads.mjs'],
    ['require', 'loads.cjs'],
  ] as const)('works in Node, with every entry, taken in by %s', async (statement, file) => {
    // BullMQ has scripts in files of its own, which no bundle holds.
    const options: BuildOptions = { platform: 'node', external: ['bullmq'] };
    const outfile = await bundle(file, programs[statement], options);
    const { stdout, stderr } = await consumer.run(process.execPath, outfile);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(printed);
  });

  it('needs nothing of Node in a page', async () => {
    const outfile = await bundle('page.mjs', pageScript, { platform: 'browser' });
    const script = await readFile(outfile, 'utf8');
    const { AbortController, URL, URLSearchParams, clearTimeout, performance, setTimeout } =
      globalThis;
    const shown = await new Promise<string>((print) => {
      const page = { AbortController, URL, URLSearchParams, clearTimeout, performance, setTimeout };
      runInContext(script, createContext({ ...page, print, structuredClone }));
    });
    expect(JSON.parse(shown)).toEqual(['down', true, 'closed']);
  });
});
