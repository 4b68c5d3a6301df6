import fc from 'fast-check';
import { CountWindow } from '../../src/circuit/count-window.js';
import { TimeWindow } from '../../src/circuit/time-window.js';
import { share } from '../../src/circuit/window.js';

interface Sample {
  readonly at: number;
  readonly bad: boolean;
}

const count = (samples: readonly Sample[]) => ({
  calls: samples.length,
  bad: samples.filter(({ bad }) => bad).length,
});

const schedule = fc.array(fc.record({ wait: fc.nat(400), bad: fc.boolean() }), { maxLength: 200 });

describe('a time window', () => {
  it('is a naive recount of its ten buckets at every step, and after any silence', () => {
    fc.assert(
      fc.property(
        schedule,
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer(),
        (steps, duration, start) => {
          const window = new TimeWindow(duration);
          const width = duration / 10;
          const log: Sample[] = [];
          let now = start;
          for (const { wait, bad } of steps) {
            now += wait;
            log.push({ at: now, bad });
            window.record(now, bad);
            const current = Math.floor(now / width);
            const inside = log.filter(({ at }) => Math.floor(at / width) > current - 10);
            expect(window.figures(now)).toEqual(count(inside));
          }
          expect(window.figures(now + duration)).toEqual({ calls: 0, bad: 0 });
        },
      ),
    );
  });

  it('sees a burst shorter than the window less one bucket whole, wherever it falls', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.array(fc.nat(899), { minLength: 1 }), (start, offsets) => {
        const window = new TimeWindow(1_000);
        const times = offsets.map((offset) => start + offset).sort((a, b) => a - b);
        for (const at of times) window.record(at, true);
        expect(window.figures(times.at(-1) ?? start).bad).toBe(offsets.length);
      }),
    );
  });

  it('forgets nothing before, and everything after the window', () => {
    const window = new TimeWindow(1_000);
    window.record(0, true);
    expect(window.figures(999)).toEqual({ calls: 1, bad: 1 });
    expect(window.figures(1_000)).toEqual({ calls: 0, bad: 0 });
  });
});

describe('a count window', () => {
  it('is a naive recount of the last calls at every step', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 200 }),
        fc.integer({ min: 1, max: 50 }),
        (calls, size) => {
          const window = new CountWindow(size);
          const log: Sample[] = [];
          for (const bad of calls) {
            log.push({ at: 0, bad });
            window.record(0, bad);
            expect(window.figures()).toEqual(count(log.slice(-size)));
          }
        },
      ),
    );
  });
});

describe('the share of bad calls', () => {
  it('is 0 where there were no calls', () => {
    expect(share({ calls: 0, bad: 0 })).toBe(0);
    expect(share({ calls: 4, bad: 1 })).toBe(0.25);
  });
});
