import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { needs } from '../support/needs.js';
import { kinds, type Kind } from '../support/redis-clients.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';

jest.setTimeout(90_000);

const script = fileURLToPath(new URL('../support/redis-exit-script.ts', import.meta.url));

const states = {
  'Redis is well': () => undefined,
  'Redis is frozen': (server: RedisServer) => server.freeze(),
  'Redis is gone': (server: RedisServer) => server.stop(),
  'the client was never connected': () => undefined,
};
const cases = kinds.flatMap((kind) =>
  Object.keys(states).map((state) => [kind, state as keyof typeof states] as const),
);

async function run(kind: Kind, state: keyof typeof states) {
  const server = await startRedisServer();
  try {
    const connects = state === 'the client was never connected' ? 'stays' : 'connects';
    const args = ['--import', 'tsx', script, kind, server.url, connects];
    const child = spawn(process.execPath, args, { timeout: 60_000 });
    const printed = text(child.stdout);
    const complained = text(child.stderr);
    await once(child.stdout, 'data');
    await wait(500);
    await states[state](server);
    await wait(2_500);
    child.stdin.write('close');
    const [code] = (await once(child, 'exit')) as [number | null];
    const ms = Number((await printed).trim().split('\n').at(-1));
    return { code, ms, complained: await complained };
  } finally {
    await server.stop();
  }
}

needs('redis-server')('a program whose Redis client is closed', () => {
  const ends = new Map<string, Awaited<ReturnType<typeof run>>>();
  beforeAll(async () => {
    await Promise.all(
      cases.map(async ([kind, state]) => ends.set(`${kind}, ${state}`, await run(kind, state))),
    );
    const lines = [...ends].map(([name, { ms }]) => `${name}: ends after ${Math.round(ms)} ms`);
    console.info(lines.join('\n'));
  });

  it.each(cases)('ends by itself, with %s, where %s, and has warned once', (kind, state) => {
    const { code, ms, complained } = ends.get(`${kind}, ${state}`) ?? {};
    expect(code).toBe(0);
    // Timers of the clients take seconds.
    expect(ms).toBeLessThan(15_000);
    const warnings =
      /^(\(node:\d+\) CircuitBreakerWarning: shared threw: .+\n\(Use `node --trace-warnings .+\n)?$/;
    expect(complained).toMatch(warnings);
  });
});
