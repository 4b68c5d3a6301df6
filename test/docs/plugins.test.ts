import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const folder = resolve(root, 'test/integration/plugins');
const page = readFileSync(resolve(root, 'docs/plugins.md'), 'utf8');

/** Where the tests behind each table are. */
const tests: Record<string, string> = {
  'axios-retry, retry-axios': 'retry-plugins.test.ts',
  'axios-cache-interceptor': 'axios-cache-interceptor.test.ts',
  'axios-mock-adapter': 'axios-mock-adapter.test.ts',
  'axios-auth-refresh': 'axios-auth-refresh.test.ts',
  'axios-rate-limit': 'axios-rate-limit.test.ts',
  '@nestjs/axios': 'nestjs-axios.test.ts',
  'Interceptors of your own': 'interceptors.test.ts',
};

const cases = Object.entries(tests).map(([section, file]) => ({ section, file }));

describe('the page about plugins', () => {
  it('tells of all that has tests', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.values(tests).sort());
  });

  it.each(cases)('has a test for each row of $section', ({ section, file }) => {
    const code = readFileSync(resolve(folder, file), 'utf8');
    const rows = rowsOf(section);
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(rows.filter((row) => !code.includes(`'${row}'`))).toEqual([]);
  });

  it.each(cases)('has no empty cell in $section', ({ section }) => {
    expect(tableOf(section).flat()).not.toContain('');
  });

  it('says what to set beside each', () => {
    const told = rowsOf('What to set');
    expect(told).toEqual([...Object.keys(tests).slice(0, -1), 'handlers of your own']);
  });
});

const rowsOf = (section: string): string[] => tableOf(section).map(([row = '']) => row);

/** The cells of the table in a section, without its heading. */
function tableOf(section: string): string[][] {
  const [, text = ''] = page.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  const lines = own.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
