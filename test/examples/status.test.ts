import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { CircuitStatus } from '../../src/status/index.js';

const program = ['--import', 'tsx', 'examples/status/main.ts'];
const children = new Set<ChildProcess>();

afterEach(async () => {
  for (const child of children) {
    child.kill();
    await once(child, 'close');
  }
  children.clear();
});

async function start(): Promise<string> {
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    const [, url] = /^The page is at (http:\S+)$/m.exec(printed) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`It printed ${printed}`);
}

describe('npm run demo:status', () => {
  it('serves a page of a bad day', async () => {
    const url = await start();
    await expect((await fetch(url)).text()).resolves.toContain('<h1>Shop</h1>');
    const answer = await fetch(`${url}snapshot.json`);
    const { circuits } = (await answer.json()) as { circuits: CircuitStatus[] };
    const states = Object.fromEntries(
      circuits.map(({ breaker, key, state }) => [`${breaker} ${key}`, state]),
    );
    expect(states).toMatchObject({
      'search default': 'closed',
      'warehouses berlin': 'closed',
      'mail default': 'disabled',
      'legacy-tax default': 'forced-open',
    });
    expect(states['payments default']).toMatch(/^(half-)?open$/);
    expect(states['warehouses oslo']).toMatch(/^(half-)?open$/);
    const refused = circuits.filter(({ recent }) => recent.refused > 100);
    expect(refused.map(({ breaker }) => breaker)).toEqual(
      expect.arrayContaining(['payments', 'warehouses', 'exchange-rates', 'legacy-tax']),
    );
  }, 60_000);

  it('explains itself', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...program, '--help']);
    expect(stdout).toMatch(/^Usage: npm run demo:status -- \[--port PORT\]/);
  });

  it.each([['--slow'], ['extra'], ['--port=70000']])(
    'ends with the usage and exit code 2 where its argument is %s',
    async (argument) => {
      const run = promisify(execFile)(process.execPath, [...program, argument]);
      const { code, stderr } = (await run.catch((error: unknown) => error)) as {
        code: number;
        stderr: string;
      };
      expect(code).toBe(2);
      expect(stderr).toMatch(/^.+\nUsage: .+\n$/);
    },
    60_000,
  );
});
