import type { Entry, Timeline } from '../../examples/demo/timeline.js';

/** One of each kind, in the order of the demo, with the jitter that clocks have. */
export const sample: Timeline = {
  entries: [
    { type: 'request', at: 0.4, number: 1, answer: 200, state: 'closed' },
    { type: 'request', at: 2_003, number: 2, answer: 400, state: 'closed' },
    { type: 'request', at: 4_010, number: 3, answer: 429, state: 'open' },
    { type: 'OPEN', at: 4_072, reason: 'first-error', cooldownMs: 10_000 },
    { type: 'request', at: 6_007, number: 4, answer: 'refused', state: 'open' },
    { type: 'request', at: 8_001, number: 5, answer: 'refused', state: 'open' },
    { type: 'CLOSE', at: 14_080, openForMs: 10_000 },
    { type: 'request', at: 16_040, number: 6, answer: 200, state: 'closed' },
  ],
  hits: 4,
};

/** The same as another run would have it. */
export function shifted(ms: number): Timeline {
  const entries = sample.entries.map((entry): Entry => ({ ...entry, at: entry.at + ms }));
  return { ...sample, entries };
}
