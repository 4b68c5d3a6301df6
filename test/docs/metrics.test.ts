import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exportedNow, familyOf } from '../prometheus/exported.js';
import { selectorsIn } from '../prometheus/shipped.js';

describe('the page about metrics', () => {
  it('tells of every metric, and of no other', async () => {
    const page = readFileSync(resolve(__dirname, '../../docs/metrics.md'), 'utf8');
    const told = selectorsIn(page).map(({ metric }) => familyOf(metric));
    const families = [...(await exportedNow()).keys()].map(familyOf);
    expect([...new Set(told)].sort()).toEqual([...new Set(families)].sort());
  });
});
