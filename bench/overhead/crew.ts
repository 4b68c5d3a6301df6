import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Task } from './worker.js';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const script = file('../../reports/bench/worker.mjs');

/** Compiles the worker: a loader of TypeScript would cost each error its share. */
export async function compileWorker(): Promise<void> {
  await build({
    entryPoints: [file('./worker.ts')],
    outfile: script,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
}

/** A process for one system: a shared one would make the call sites of axios megamorphic. */
export class Worker {
  readonly name: string;
  readonly #process: ChildProcess;

  constructor(name: string) {
    this.name = name;
    this.#process = fork(script, [name], { execArgv: ['--expose-gc'] });
  }

  do(task: Task): Promise<number> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`The process of ${this.name} ended`));
      this.#process.once('exit', fail);
      this.#process.once('message', (figure) => {
        this.#process.off('exit', fail);
        resolve(figure as number);
      });
      this.#process.send(task);
    });
  }

  async end(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}

/** Does one task in a process that then ends. */
export async function doAlone(name: string, task: Task): Promise<number> {
  const worker = new Worker(name);
  const figure = await worker.do(task);
  await worker.end();
  return figure;
}
