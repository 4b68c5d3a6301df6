import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs } from '../support/needs.js';
import { dashboardQueries, rulesFile, rulesTestFile } from './shipped.js';
import { startTraffic } from './traffic.js';

/** What promtool prints. @throws Error with its complaints. */
async function promtool(args: readonly string[], input = ''): Promise<string> {
  const run = promisify(execFile)('promtool', args);
  run.child.stdin?.end(input);
  const { stdout, stderr } = await run;
  return stdout + stderr;
}

needs('promtool')('promtool', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'promtool-'))));
  afterAll(() => rm(folder, { recursive: true }));

  it('finds nothing to say about a scrape', async () => {
    const { breaker, get, scrape, close } = await startTraffic();
    await get('/status/200', 3);
    await get('/broken', 9);
    breaker.open('a "b" \\ <c>\n');
    const { text } = await scrape();
    await close();
    expect(text).toContain('axios_circuit_retry_after_seconds{breaker="api",key="a');
    expect(await promtool(['check', 'metrics'], text)).toBe('');
  });

  it('takes the alert rules', async () => {
    expect(await promtool(['check', 'rules', '--lint-fatal', rulesFile])).toMatch(/4 rules found/);
  });

  it('sees each alert fire where it should, and not where it should not', async () => {
    expect(await promtool(['test', 'rules', rulesTestFile])).toMatch(/SUCCESS/);
  });

  it('takes every query of the dashboard', async () => {
    const file = join(folder, 'dashboard.rules.json');
    const recorded = dashboardQueries.map((expr, index) => ({ record: `panel_${index}`, expr }));
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
    expect(await promtool(['check', 'rules', file])).toMatch(`${recorded.length} rules found`);
  });
});
