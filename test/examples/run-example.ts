import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

// Jest asks its own children for colours.
const colourless = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: undefined };

export function startExample(
  name: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const file = `examples/${name}/main.ts`;
  return spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    env: { ...colourless, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** What it printed, once it has ended by itself. */
export async function runExample(name: string, ...args: string[]) {
  const child = startExample(name, args);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { stdout, stderr, code };
}
