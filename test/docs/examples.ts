import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { importClause } from './compile.js';
import type { CodeBlock } from './markdown.js';

/** Every `@example` of the TSDoc comments in src, with what it may use without saying so. */
export function sourceExamples(root: string): CodeBlock[] {
  const read = (name: string) => readFileSync(join(root, 'src', name), 'utf8');
  const prelude = [
    `import ${importClause('index.ts', read('index.ts'))} from '${manifest.name}';`,
    `import ${importClause('testing.ts', read('testing/index.ts'))} from '${manifest.name}/testing';`,
    `declare const client: import('axios').AxiosInstance;`,
    `declare function isMaintenanceWindow(): boolean;`,
  ].join(' ');
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) => examplesOf(join('src', name), read(name)))
    .map((example) => ({ ...example, code: withPrelude(prelude, example.code) }));
}

function examplesOf(file: string, source: string): CodeBlock[] {
  return [...source.matchAll(/\/\*\*[^]*?\*\//g)].flatMap((comment) => {
    const startLine = source.slice(0, comment.index).split('\n').length;
    const lines = comment[0].split('\n').map((line) => line.replace(/^\s*\*( |\/?$)/, ''));
    return lines.flatMap((line, at) => {
      if (line.trim() !== '@example') return [];
      const end = lines.findIndex((other, index) => index > at && other.startsWith('@'));
      const code = lines.slice(at + 1, end < 0 ? lines.length : end);
      return [{ file, line: startLine + at + 1, language: 'ts', code: unfenced(code) }];
    });
  });
}

const unfenced = (lines: string[]) => lines.map((line) => line.replace(/^```.*/, '')).join('\n');

/** On the example's first line, and outside a block of its own: lines stay, names may be taken again. */
function withPrelude(prelude: string, code: string): string {
  return /^import /m.test(code) ? code : `${prelude} {${code}\n}`;
}
