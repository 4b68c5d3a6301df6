import { limiters } from '../../bench/limits/limiters.js';
import type { Yield } from '../../bench/limits/offer.js';
import { leastGoodput, targets } from '../../bench/limits/targets.js';
import { runScript } from '../support/run-script.js';

interface Printed {
  /** In the order of the targets. */
  readonly seen: readonly Yield[];
  readonly repeated: readonly Yield[];
}

const rows = targets.map((target, index) => ({
  ...target,
  index,
  where: limiters[target.limiter].name,
}));

describe('the rate limits of the bench, in virtual time', () => {
  let printed: Printed;
  beforeAll(async () => {
    // In a process of its own: it replaces the globals.
    printed = await runScript<Printed>('bench-limits-script.ts', [], [], 240_000);
  }, 250_000);

  it.each(rows)(
    '$where: $guard meets at most $refusedPer1000 refusals for 1,000 successes',
    ({ index, refusedPer1000 }) => {
      expect(printed.seen[index]?.refusedPer1000).toBeLessThanOrEqual(refusedPer1000);
    },
  );

  it.each(rows)('$where: $guard gets nearly all of the quota', ({ index }) => {
    expect(printed.seen[index]?.goodput).toBeGreaterThanOrEqual(leastGoodput);
    expect(printed.seen[index]?.goodput).toBeLessThanOrEqual(1);
  });

  it('is the same twice, to the last figure', () => {
    const [first, again] = printed.repeated;
    expect(again).toEqual(first);
  });
});
