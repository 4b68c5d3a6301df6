import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import versions from '../support/axios-versions.json' with { type: 'json' };
import { testedNodes } from '../support/programs.js';

const root = resolve(__dirname, '../..');
const page = readFileSync(resolve(root, 'docs/compatibility.md'), 'utf8');
const packages: Readonly<Record<string, string>> = manifest.devDependencies;

/** The last cell of a row of the table. */
function testedOn(what: string): string | undefined {
  const row = page.split('\n').find((line) => line.startsWith(`| ${what} `));
  return row?.split('|').at(-2)?.trim();
}

describe('the page about compatibility', () => {
  it('names each axios that the tests run on', () => {
    const numbers = versions.map(({ name }) => packages[name]?.replace('npm:axios@', ''));
    expect(testedOn('axios')?.split(', ')).toEqual(numbers.reverse());
  });

  it('names each Node that the package is tested on, which .ci/run installs', () => {
    expect(testedOn('Node')).toBe(testedNodes.join(', '));
    const script = readFileSync(resolve(root, '.ci/run'), 'utf8');
    expect(script).toContain(`for version in ${testedNodes.join(' ')}; do`);
  });

  it('names each TypeScript that the types are compiled with', () => {
    const compilers = Object.entries(packages).filter(([name]) => /^typescript[\d.]*$/.test(name));
    const numbers = compilers.map(([, version]) => /(\d+\.\d+)\.\d+$/.exec(version)?.[1]);
    expect(testedOn('TypeScript')).toContain(`${numbers.sort().join(', ')}, with`);
  });
});
