import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { SoakOptions, Soaked } from './soak.js';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const outdir = file('../../reports/soak');

/**
 * A soak in a process of its own, compiled: a loader of TypeScript would cost each error its share. It
 * prints a line after each round on standard error.
 *
 * @throws Error where that process fails.
 */
export async function soakAlone(options: SoakOptions): Promise<Soaked> {
  await build({
    entryPoints: { worker: file('./worker.ts'), server: file('../../test-server/index.ts') },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  const args = ['--expose-gc', `${outdir}/worker.mjs`, JSON.stringify(options)];
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await Promise.all([text(worker.stdout), once(worker, 'exit')]);
  if (worker.exitCode !== 0) throw new Error(`The soak ended with ${String(worker.exitCode)}`);
  return JSON.parse(printed) as Soaked;
}
