import { runScript } from '../support/run-script.js';

interface Printed {
  readonly bytesPerCircuit: number;
  /** Bytes that four thousand more circuits left behind, which came and went. */
  readonly grown: number;
  readonly idleMs: number;
}

describe('a process with a status page', () => {
  it('ends by itself, and needs a few kilobytes for each circuit that there is', async () => {
    const { bytesPerCircuit, grown, idleMs } = await runScript<Printed>(
      'status-script.ts',
      [],
      ['--expose-gc'],
    );
    expect(idleMs).toBeLessThan(2_000);
    expect(bytesPerCircuit).toBeGreaterThan(1_000);
    expect(bytesPerCircuit).toBeLessThan(10_000);
    // Between two looks there may be twice as many as there are.
    expect(grown).toBeLessThan(12_000_000);
  }, 30_000);
});
