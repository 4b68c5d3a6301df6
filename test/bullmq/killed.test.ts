import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { Queue } from 'bullmq';
import { needs } from '../support/needs.js';
import { orderServer, type OrderServer } from '../support/order-server.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';

jest.setTimeout(120_000);

const all = Array.from({ length: 1_000 }, (_none, order) => order);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(10);
}

/** The jobs that failed for good, and those that are to be done once nothing is. */
async function countAll({ port }: RedisServer) {
  const queue = new Queue('orders', { connection: { port } });
  try {
    for (let tries = 1; ; tries += 1) {
      const { failed = 0, ...others } = await queue.getJobCounts();
      const left = Object.values(others).reduce((total, count) => total + count, 0);
      if (left === 0 || tries === 100) return { failed, left };
      await wait(100);
    }
  } finally {
    await queue.close();
  }
}

needs('redis-server')('1,000 orders to a server that is down', () => {
  let redis: RedisServer;
  let server: OrderServer;
  const children = new Set<ChildProcess>();
  const queued = new Set<number>();

  beforeEach(async () => {
    redis = await startRedisServer();
    server = await orderServer();
  });
  afterEach(async () => {
    for (const child of children) await kill(child);
    await server.stop();
    await redis.stop();
  });

  function startProcess(orders: readonly number[], lifetime = Infinity): ChildProcess {
    const script = ['--import', 'tsx', 'test/support/queue-script.ts'];
    const args = [String(redis.port), server.url, JSON.stringify(orders), String(lifetime)];
    const child = spawn(process.execPath, [...script, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface(child.stdout).on('line', (line) => queued.add(Number(line)));
    children.add(child);
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    children.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  it('all arrive, each taken once, though two processes are killed on the way', async () => {
    await once(startProcess(all, 500), 'close');
    expect(queued.size).toBe(500);

    // Who was not told that an order is queued sends it again, with the same key.
    const second = startProcess(all.filter((order) => !queued.has(order)));
    await until(() => queued.size === 1_000);

    // The server is up again, but not well: nothing is sent while the breaker is open.
    server.failWith(503);
    await server.start();
    await until(() => server.counts.requests > 0);
    const start = Date.now();
    await wait(1_500);
    // Each probe fails, and the pause after it is a second at least.
    expect(server.counts.requests).toBeLessThanOrEqual(2 + (Date.now() - start) / 1_000);

    server.when(500, () => second.kill('SIGKILL'));
    server.failWith(undefined);
    await once(second, 'close');
    expect(server.accepted.size).toBeLessThan(1_000);

    startProcess([]);
    await until(() => server.accepted.size === 1_000);
    const bodies = all.map((order) => [`order-${order}`, JSON.stringify({ order })] as const);
    expect(new Map(server.accepted)).toEqual(new Map(bodies));
    expect(await countAll(redis)).toEqual({ failed: 0, left: 0 });
    // Those that were on their way when a process was killed, and no others, were sent twice.
    expect(server.counts.repeated).toBeLessThanOrEqual(40);
  });
});
