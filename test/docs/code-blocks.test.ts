import { resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { compile } from './compile.js';
import { sourceExamples } from './examples.js';
import { codeBlocks, documents } from './markdown.js';

jest.setTimeout(60_000);

const root = resolve(__dirname, '../..');
const checked = ['ts', 'sh', 'bash'];
const unchecked = ['mermaid', 'json', 'text'];

describe('the documents', () => {
  const blocks = documents(root).flatMap((file) => codeBlocks(root, file));
  const inLanguage = (...languages: string[]) =>
    blocks.filter(({ language }) => languages.includes(language));

  it('begin with a README that shows code', () => {
    expect(documents(root)).toContain('README.md');
    expect(inLanguage('ts').map(({ file }) => file)).toContain('README.md');
  });

  it('name the language of each code block, and none that nobody checks', () => {
    const known = inLanguage(...checked, ...unchecked);
    const others = blocks.filter((block) => !known.includes(block));
    expect(others.map(({ file, line, language }) => `${file}:${line - 1}: "${language}"`)).toEqual(
      [],
    );
  });

  it('show TypeScript that compiles', () => {
    expect(compile(root, inLanguage('ts'))).toEqual([]);
  });

  it('call only npm scripts that there are', () => {
    const missing = inLanguage('sh', 'bash').flatMap(({ file, line, code }) =>
      scriptsIn(code)
        .filter((script) => !Object.hasOwn(manifest.scripts, script))
        .map((script) => `${file}:${line}: no script "${script}"`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the examples in the comments of src', () => {
  it('compile', () => {
    const examples = sourceExamples(root);
    expect(examples).not.toEqual([]);
    expect(compile(root, examples)).toEqual([]);
  });
});

function scriptsIn(code: string): string[] {
  const calls = code.matchAll(/\bnpm (?:run(?:-script)? (?:-\S+ )*([\w:-]+)|(test|start)\b)/g);
  return [...calls].map(([, run, shorthand]) => String(run ?? shorthand));
}
