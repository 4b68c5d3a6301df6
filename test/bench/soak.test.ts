import type { Soaked } from '../../bench/soak/soak.js';
import { runScript } from '../support/run-script.js';

describe('a few seconds of mixed traffic', () => {
  let soaked: Soaked;
  beforeAll(async () => {
    soaked = await runScript<Soaked>('soak-script.ts', ['4'], [], 100_000);
  }, 110_000);

  it('opens and closes circuits of every kind, and some of it goes over real sockets', () => {
    const { calls, real, asked, admitted, refused, opened, closed, fulfilled } = soaked;
    for (const count of [real, opened, closed, refused, fulfilled]) {
      expect(count).toBeGreaterThan(20);
    }
    expect(asked).toBeLessThan(calls);
    expect(admitted + refused).toBeGreaterThanOrEqual(asked);
  });

  it('adds up at rest, and nobody complains', () => {
    expect(soaked.problems).toEqual([]);
  });

  it('leaves no timer, no listener and no socket', () => {
    expect(soaked.left).toEqual([]);
  });

  it('leaves the heap as it was, but for what warms up', () => {
    const { heap } = soaked;
    expect(heap).toHaveLength(8);
    expect((heap[7] ?? NaN) - (heap[2] ?? NaN)).toBeLessThan(2 ** 21);
  });
});
