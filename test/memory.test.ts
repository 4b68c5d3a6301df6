import type { CircuitCounts } from '../src/index.js';
import { runScript } from './support/run-script.js';

interface Printed {
  /** Bytes in use after a hundred thousand calls. */
  readonly early: number;
  /** And after a million. */
  readonly late: number;
  /** In a window that saw them all. */
  readonly calls: number;
  readonly counts: CircuitCounts;
}

describe('the memory of a circuit', () => {
  it('does not depend on how many calls it has seen', async () => {
    const { early, late, counts, calls } = await runScript<Printed>(
      'memory-script.ts',
      [],
      ['--expose-gc'],
    );
    expect(counts.admitted + counts.refused).toBe(1_000_001);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(100);
    expect(late - early).toBeLessThan(200_000);
    expect(calls).toBe(10);
  }, 30_000);
});
