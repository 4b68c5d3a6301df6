import type { Figures } from '../../bench/outages/figures.js';
import { scenes } from '../../bench/outages/scenes.js';
import { targets } from '../../bench/outages/targets.js';
import { runScript } from '../support/run-script.js';

interface Printed {
  /** In the order of the targets. */
  readonly seen: readonly (number | null)[];
  readonly repeated: readonly Figures[];
}

const rows = targets.map((target, index) => ({
  ...target,
  index,
  where: scenes[target.scene].name,
  most: target.write(target.atMost),
}));

describe('the outages of the bench, in virtual time', () => {
  let printed: Printed;
  beforeAll(async () => {
    // In a process of its own: it replaces the globals.
    printed = await runScript<Printed>('bench-outages-script.ts', [], [], 240_000);
  }, 250_000);

  it.each(rows.filter(({ isMissed }) => !isMissed))(
    '$where: $figure of $guard is at most $most',
    ({ index, atMost }) => {
      expect(printed.seen[index] ?? Infinity).toBeLessThanOrEqual(atMost);
    },
  );

  // Fails as soon as one of them is met: it is no known miss then.
  it.each(rows.filter(({ isMissed }) => isMissed))(
    '$where: $figure of $guard is known to be more than $most',
    ({ index, atMost }) => {
      expect(printed.seen[index] ?? Infinity).toBeGreaterThan(atMost);
    },
  );

  it('is the same for the same seed, to the last figure', () => {
    const [first, again, other] = printed.repeated;
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });
});
