import { Latency } from '../../src/status/latency.js';

const minute = 60_000;

function recorded(durations: readonly number[], at = 0): Latency {
  const latency = new Latency();
  for (const duration of durations) latency.record(at, duration);
  return latency;
}

describe('the latency of the last minute', () => {
  it('is nothing without exchanges', () => {
    expect(new Latency().quantiles(0, [0.5, 0.95])).toEqual([]);
  });

  it.each([0, 0.4, 1, 7, 80, 999, 30_000, 200_000])('knows %p ms within 5 %%', (duration) => {
    const [median = NaN] = recorded([duration]).quantiles(0, [0.5]);
    expect(Math.abs(median - duration)).toBeLessThanOrEqual(0.05 * (duration + 1));
  });

  it('tells the half from the slowest twentieth', () => {
    const durations = Array.from({ length: 100 }, (_, index) => (index < 94 ? 80 : 8_000));
    const [p50 = 0, p95 = 0] = recorded(durations).quantiles(0, [0.5, 0.95]);
    expect(p50).toBeCloseTo(80, -1);
    expect(p95).toBeGreaterThan(7_600);
    expect(p95).toBeLessThan(8_400);
  });

  it('takes what is longer than it can tell for four minutes, and what cannot be for nothing', () => {
    const [longest = 0] = recorded([Infinity]).quantiles(0, [1]);
    expect(longest).toBeGreaterThan(240_000);
    expect(recorded([-5]).quantiles(0, [1])[0]).toBeLessThan(0.1);
  });

  it('forgets what is older than a minute, also after any silence', () => {
    const latency = recorded([80], 5_000);
    expect(latency.quantiles(minute - 1, [0.5])).toHaveLength(1);
    expect(latency.quantiles(minute, [0.5])).toEqual([]);
    latency.record(1_000 * minute, 300);
    expect(latency.quantiles(1_000 * minute, [0.01])[0]).toBeCloseTo(300, -2);
  });
});
