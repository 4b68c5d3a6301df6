import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A piece of code in a document. */
export interface CodeBlock {
  /** The document, from the root of the repository. */
  readonly file: string;
  /** The line of the document on which `code` begins, from 1. */
  readonly line: number;
  /** As written at the fence; empty where nothing is. */
  readonly language: string;
  readonly code: string;
}

/** README.md and every page under docs/. */
export function documents(root: string): string[] {
  const pages = existsSync(join(root, 'docs'))
    ? readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    : [];
  const markdown = pages.filter((page) => page.endsWith('.md')).map((page) => join('docs', page));
  return ['README.md', ...markdown.sort()].filter((file) => existsSync(join(root, file)));
}

/** The fenced blocks of a document; one without an end reaches to the document's. */
export function codeBlocks(root: string, file: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = '', fence, language = ''] =
      /^(\s*)(`{3,}|~{3,})\s*(\S*)/.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const first = at + 1;
    do at += 1;
    while (at < lines.length && lines[at]?.trim() !== fence);
    const code = lines.slice(first, at).map((line) => line.slice(indent.length));
    blocks.push({ file, line: first + 1, language, code: code.join('\n') });
  }
  return blocks;
}
