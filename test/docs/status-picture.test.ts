import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const docs = resolve(__dirname, '../../docs');

describe('the picture of the status page', () => {
  const picture = readFileSync(join(docs, 'status.png'));

  it('is a PNG of at least a thousand pixels, and small', () => {
    expect(picture.toString('latin1', 1, 4)).toBe('PNG');
    expect(picture.readUInt32BE(16)).toBeGreaterThan(1_000);
    expect(picture.length).toBeLessThan(150_000);
  });

  it('is shown in the docs', () => {
    expect(readFileSync(join(docs, 'status.md'), 'utf8')).toMatch(/!\[.{30,}\]\(status\.png\)/);
  });
});
