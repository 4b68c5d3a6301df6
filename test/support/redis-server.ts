import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Redis of the test's own. It keeps nothing: one that is stopped and started again is empty. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Kills it, as a crash would; all connections break. */
  stop(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  /** Stops it in its tracks: connections stay open, and nothing is answered until `thaw`. */
  freeze(): void;
  thaw(): void;
}

const running = new Set<ChildProcess>();

// A test that dies leaves nothing behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** By their names in `redis.conf`. */
export type RedisSettings = Readonly<Record<string, string>>;

/** Starts Redis on a free port. Its tests stand under `needs('redis-server')`. */
export async function startRedisServer(settings: RedisSettings = {}): Promise<RedisServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return await serverOn(port, settings);
    } catch (error) {
      // Another process may have taken the port in between.
      if (attempt === 5) throw error;
    }
  }
}

async function serverOn(port: number, given: RedisSettings): Promise<RedisServer> {
  let child = await launch(port, given);
  let isRunning = true;
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    async stop() {
      if (!isRunning) return;
      isRunning = false;
      await kill(child);
    },
    async start() {
      if (isRunning) return;
      child = await launch(port, given);
      isRunning = true;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

/** @throws Error with what it printed where it ends before it is ready. */
async function launch(port: number, given: RedisSettings): Promise<ChildProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const own = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
  const settings = { ...own, ...given };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.once('close', () => void rm(folder, { recursive: true, force: true }));
  running.add(child);
  child.once('close', () => running.delete(child));
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      printed = `${printed}${chunk.toString()}`.slice(-5_000);
      if (printed.includes('Ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`redis-server has ended: ${printed}`)));
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // Works on one that is frozen, too.
  child.kill('SIGKILL');
  await once(child, 'close');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
