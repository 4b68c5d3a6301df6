import { transition } from '../../src/metrics/transition.js';

describe('a transition', () => {
  it.each([
    ['open', 'first-error', 'closed'],
    ['open', 'failure-rate', 'closed'],
    ['open', 'consecutive', 'closed'],
    ['open', 'slow-rate', 'closed'],
    ['open', 'probe-failed', 'half-open'],
    ['open', 'probe-expired', 'half-open'],
    ['closed', 'probes-passed', 'half-open'],
    ['closed', 'cooldown-elapsed', 'open'],
    ['half-open', 'cooldown-elapsed', 'open'],
  ] as const)('to %s for %s comes from %s, whatever was seen last', (to, reason, from) => {
    expect(transition(to, reason, 'disabled')).toEqual({ from, to, reason });
  });

  it.each([
    ['open', 'rate-limit', 'half-open'],
    ['forced-open', 'manual', 'disabled'],
    ['closed', 'manual', 'forced-open'],
  ] as const)('to %s for %s comes from what was seen last', (to, reason, seen) => {
    expect(transition(to, reason, seen)).toEqual({ from: seen, to, reason });
  });
});
