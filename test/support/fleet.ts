import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Order, Report, Said, Work } from './fleet-orders.js';

export type Change = Extract<Said, { path: string }> & { readonly process: number };

/** Waits for what a process does in a few seconds, on a busy machine too. */
export async function until(isTrue: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 15_000;
  while (!isTrue()) {
    if (Date.now() > giveUpAt) throw new Error(`Never true: ${isTrue.toString()}`);
    await sleep(5);
  }
}

/** Processes that share through one Redis. */
export class Fleet {
  /** What circuits have changed to, the first first. */
  readonly changes: Change[] = [];
  readonly #script: string;
  readonly #redisUrl: string;
  readonly #children: (ChildProcess | undefined)[];
  readonly #works = new Map<string, readonly Work[]>();

  private constructor(script: string, redisUrl: string, size: number) {
    this.#script = script;
    this.#redisUrl = redisUrl;
    this.#children = Array.from({ length: size }, () => undefined);
  }

  static async start(redisUrl: string, size: number): Promise<Fleet> {
    const fleet = new Fleet(await bundled('fleet-script.ts'), redisUrl, size);
    await Promise.all(fleet.#children.map((_, index) => fleet.#start(index)));
    return fleet;
  }

  /** All guard a server from now on. */
  guard(guard: string, workOf: (process: number) => Work): void {
    const works = this.#children.map((_, index) => workOf(index));
    this.#works.set(guard, works);
    this.#children.forEach((child, index) => {
      const work = works[index];
      if (work) send(child, { order: 'guard', guard, work });
    });
  }

  /** How circuits have changed since, to a state of which the event tells. */
  changed(said: Change['said'], since = 0): Change[] {
    return this.changes.filter((change) => change.said === said && change.at >= since);
  }

  /** What has happened since the last report. */
  report(guard: string): Promise<Report[]> {
    const living = this.#children.filter((child) => child !== undefined);
    return Promise.all(
      living.map(
        (child) =>
          new Promise<Report>((resolve) => {
            const hear = (said: Said) => {
              if (said.said !== 'report' || said.guard !== guard) return;
              child.off('message', hear);
              resolve(said.report);
            };
            child.on('message', hear);
            send(child, { order: 'report', guard });
          }),
      ),
    );
  }

  /** Kills a process, and starts another in its place. */
  async replace(index: number): Promise<void> {
    const child = this.#children[index];
    if (child === undefined) return;
    this.#children[index] = undefined;
    child.kill('SIGKILL');
    const started = await this.#start(index);
    for (const [guard, works] of this.#works) {
      const work = works[index];
      if (work) send(started, { order: 'guard', guard, work });
    }
  }

  async end(): Promise<void> {
    for (const child of this.#children) child?.kill('SIGKILL');
    await rm(dirname(this.#script), { recursive: true });
  }

  async #start(index: number): Promise<ChildProcess> {
    const child = fork(this.#script, [this.#redisUrl, String(index)], { execArgv: [] });
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('A process of the fleet has ended')));
      child.on('message', (said: Said) => {
        if (said.said === 'ready') resolve();
        if ('path' in said) this.changes.push({ ...said, process: index });
      });
    });
    this.#children[index] = child;
    return child;
  }
}

function send(child: ChildProcess | undefined, order: Order): void {
  if (child?.connected === true) child.send(order);
}

/** One file, which many processes start from in a fraction of the time. */
async function bundled(name: string): Promise<string> {
  const entry = fileURLToPath(new URL(name, import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  const outfile = join(folder, 'fleet.cjs');
  await build({ entryPoints: [entry], bundle: true, platform: 'node', outfile });
  return outfile;
}
