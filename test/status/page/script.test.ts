import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { script } from '../../../src/status/page/script.js';
import { style } from '../../../src/status/page/style.js';

const folder = resolve(__dirname, '../../../src/status/page/script');

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  types: [],
  allowJs: true,
  checkJs: true,
  strict: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  skipLibCheck: true,
  noEmit: true,
};

/** What the compiler says against it, as a module that stands beside the parts it is made of. */
function complaints(code: string): string[] {
  const name = join(folder, 'whole.js');
  const host = ts.createCompilerHost(options);
  host.readFile = (file) => (file === name ? code : ts.sys.readFile(file));
  host.fileExists = (file) => file === name || ts.sys.fileExists(file);
  const program = ts.createProgram([name], options, host);
  const source = program.getSourceFile(name);
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ].map(({ start, messageText }) => {
    const line = source?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    const text = ts.flattenDiagnosticMessageText(messageText, ' ');
    return `${code.split('\n')[line]?.trim()}: ${text}`;
  });
}

describe('the script of the page', () => {
  it('compiles against the types of the server', () => {
    expect(complaints(script)).toEqual([]);
  }, 60_000);

  it('would not, did it ask for what the server does not tell', () => {
    expect(complaints(`${script}\nrows.get('')?.retryAfterMs;`)).toEqual([
      expect.stringContaining("Property 'retryAfterMs' does not exist on type 'Row'"),
    ]);
  }, 60_000);

  it.each([
    ['script', script, 'script.js'],
    ['style', style, 'style.css'],
  ])('is formatted as the sources are: %s', (_name, code, file) => {
    const prettier = ['node_modules/prettier/bin/prettier.cjs', '--stdin-filepath', file];
    const formatted = execFileSync(process.execPath, prettier, { input: code, encoding: 'utf8' });
    expect(code.trimStart()).toBe(formatted);
  });

  it('can stand in a page, and makes no HTML', () => {
    expect(script).not.toMatch(/<\/|<!--|innerHTML|insertAdjacentHTML|document\.write|eval\(/);
  });
});
