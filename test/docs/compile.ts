import { join, posix } from 'node:path';
import ts from 'typescript';
import manifest from '../../package.json' with { type: 'json' };
import type { CodeBlock } from './markdown.js';

const options = (root: string): ts.CompilerOptions => ({
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  types: ['node', 'jest'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  paths: sources(root),
});

/** Maps the package and its sub-paths to our sources, so that no build is needed. */
function sources(root: string): Record<string, string[]> {
  const paths: Record<string, string[]> = {};
  for (const [subPath, target] of Object.entries(manifest.exports)) {
    if (typeof target === 'string') continue;
    const source = target.import.types.replace('dist/esm', 'src').replace(/\.d\.ts$/, '.ts');
    paths[posix.join(manifest.name, subPath)] = [join(root, source)];
  }
  return paths;
}

/** Compiles each block as a module of its own; says of each error where it is and what is wrong. */
export function compile(root: string, blocks: readonly CodeBlock[]): string[] {
  const modules = new Map(
    blocks.map((block) => [join(root, `${block.file}.line-${block.line}.ts`), block]),
  );
  const host = ts.createCompilerHost(options(root));
  host.readFile = (name) => modules.get(name)?.code ?? ts.sys.readFile(name);
  host.fileExists = (name) => modules.has(name) || ts.sys.fileExists(name);
  const program = ts.createProgram([...modules.keys()], options(root), host);

  const general = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  const complaints = general.map(({ messageText }) => text(messageText));
  for (const [name, { file, line }] of modules) {
    const source = program.getSourceFile(name);
    const errors = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    for (const { start = 0, messageText } of errors) {
      const offset = source?.getLineAndCharacterOfPosition(start).line ?? 0;
      complaints.push(`${file}:${line + offset}: ${text(messageText)}`);
    }
  }
  return complaints;
}

const text = (message: string | ts.DiagnosticMessageChain) =>
  ts.flattenDiagnosticMessageText(message, '\n');

/** What a module exports by name, types included, as an import clause. */
export function importClause(fileName: string, code: string): string {
  const { statements } = ts.createSourceFile(fileName, code, ts.ScriptTarget.ES2022);
  const names = statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return [];
    const { exportClause, isTypeOnly } = statement;
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
    return exportClause.elements.map((element) =>
      isTypeOnly || element.isTypeOnly ? `type ${element.name.text}` : element.name.text,
    );
  });
  return `{ ${names.join(', ')} }`;
}
