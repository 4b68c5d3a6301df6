import { readFile } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { pack, type Packed } from './consumer.js';

jest.setTimeout(60_000);

describe('the tarball', () => {
  let packed: Packed;
  beforeAll(async () => void (packed = await pack()));
  afterAll(() => packed.remove());

  it('holds dist, src, the papers, and what goes with the metrics, and nothing else', () => {
    const tops = new Set(packed.files.map((path) => path.split('/')[0]));
    const papers = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
    expect([...tops].sort()).toEqual([...papers, 'alerts', 'dashboards', 'dist', 'src'].sort());
    expect(packed.files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'dist/cjs/package.json',
        'alerts/axios-circuit-guard.rules.yml',
        'dashboards/axios-circuit-guard.json',
      ]),
    );
  });

  it('holds every file that the manifest points to', () => {
    const { main, module, types, exports } = manifest;
    const named = JSON.stringify([main, module, types, exports]).matchAll(/"\.\/(dist\/[^"]+)"/g);
    const paths = [...named].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(3);
    expect(packed.files).toEqual(expect.arrayContaining(paths));
  });

  it('holds the JavaScript and the types of every source, in both formats', () => {
    const sources = packed.files.filter((path) => /^src\/.*(?<!\.d)\.ts$/.test(path));
    const built = sources.flatMap((path) =>
      ['dist/esm', 'dist/cjs'].flatMap((folder) =>
        ['.js', '.d.ts'].map((ending) => path.replace('src', folder).replace(/\.ts$/, ending)),
      ),
    );
    expect(packed.files.filter((path) => /^dist\/.*\.(js|d\.ts)$/.test(path)).sort()).toEqual(
      built.sort(),
    );
  });

  it('holds a map for each built file, and every source that a map names', async () => {
    for (const built of packed.files.filter((path) => /^dist\/.*\.(js|d\.ts)$/.test(path))) {
      const map = `${built}.map`;
      expect(packed.files).toContain(map);
      const { sources } = JSON.parse(await readFile(resolve(__dirname, '../..', map), 'utf8')) as {
        sources: string[];
      };
      const named = sources.map((source) => posix.join(posix.dirname(map), source));
      expect(named).toHaveLength(1);
      expect(packed.files).toEqual(expect.arrayContaining(named));
    }
  });
});
