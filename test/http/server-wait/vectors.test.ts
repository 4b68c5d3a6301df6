import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { read, readBody, vectors } from './vectors.js';

const withBody = vectors.filter(({ body }) => body !== undefined);

describe('what servers were seen to send', () => {
  it('is a collection of more than a hundred answers', () => {
    expect(vectors.length).toBeGreaterThan(100);
    expect(withBody).toHaveLength(6);
  });

  it.each(vectors)('is read as expected: $name', (vector) => {
    expect(read(vector)).toBe(vector.expectedMs);
  });

  it.each(withBody)('is read from the body by one hook and no other: $name', (vector) => {
    expect(readBody(vector)).toEqual(vector.bodyMs === null ? [] : [vector.bodyMs]);
  });
});

const script = fileURLToPath(new URL('./vectors-script.ts', import.meta.url));

describe.each([
  { zone: 'UTC', noon: '12' },
  { zone: 'America/New_York', noon: '07' },
  { zone: 'Asia/Kolkata', noon: '17' },
])('in a process whose time zone is $zone', ({ zone, noon }) => {
  it('the reading is the same', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script], {
      env: { ...process.env, TZ: zone },
      timeout: 50_000,
    });
    const { hour, readings } = JSON.parse(stdout) as { hour: string; readings: unknown };
    expect(hour).toBe(noon);
    expect(readings).toEqual(
      Object.fromEntries(vectors.map(({ name, expectedMs }) => [name, expectedMs])),
    );
  }, 60_000);
});
