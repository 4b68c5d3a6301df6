import { tripReason, type Seen, type TripRules } from '../../src/circuit/trip-policy.js';

const noRules: TripRules = {
  firstError: false,
  failureThreshold: undefined,
  consecutiveFailures: undefined,
  slowCallThreshold: undefined,
  minimumCalls: 1,
};
const nothing: Seen = {
  hasError: false,
  badInARow: 0,
  failures: { calls: 0, bad: 0 },
  slowness: { calls: 0, bad: 0 },
};
const all: Seen = {
  hasError: true,
  badInARow: 5,
  failures: { calls: 5, bad: 5 },
  slowness: { calls: 5, bad: 5 },
};

describe('the trip policy', () => {
  it('finds no reason without rules', () => {
    expect(tripReason(noRules, all)).toBeUndefined();
  });

  it.each([
    ['first-error', { firstError: true }],
    ['failure-rate', { failureThreshold: 1 }],
    ['consecutive', { consecutiveFailures: 5 }],
    ['slow-rate', { slowCallThreshold: 1 }],
  ] as const)('finds %s, by that rule alone', (reason, rule) => {
    expect(tripReason({ ...noRules, ...rule }, all)).toBe(reason);
    expect(tripReason({ ...noRules, ...rule }, nothing)).toBeUndefined();
  });

  it('names them in that order', () => {
    const rules = {
      firstError: true,
      failureThreshold: 1,
      consecutiveFailures: 5,
      slowCallThreshold: 1,
    };
    const order = [];
    for (const off of [
      {},
      { firstError: false },
      { failureThreshold: undefined },
      { consecutiveFailures: undefined },
    ]) {
      Object.assign(rules, off);
      order.push(tripReason({ ...noRules, ...rules }, all));
    }
    expect(order).toEqual(['first-error', 'failure-rate', 'consecutive', 'slow-rate']);
  });

  it.each([
    [0.07, 7, 100],
    [0.29, 29, 100],
    [0.1, 3, 30],
    [1, 3, 3],
    [1 / 3, 1, 3],
    [0.001, 1, 1_000],
  ])(
    'takes a threshold of %d for reached by %d of %d, and not by one less',
    (threshold, bad, calls) => {
      const rules = { ...noRules, failureThreshold: threshold };
      expect(tripReason(rules, { ...nothing, failures: { calls, bad } })).toBe('failure-rate');
      expect(tripReason(rules, { ...nothing, failures: { calls, bad: bad - 1 } })).toBeUndefined();
    },
  );

  it('asks for the minimum of calls of each share apart', () => {
    const rules = { ...noRules, failureThreshold: 0.5, slowCallThreshold: 0.5, minimumCalls: 4 };
    const three = { calls: 3, bad: 3 };
    expect(tripReason(rules, { ...nothing, failures: three, slowness: three })).toBeUndefined();
    const four = { calls: 4, bad: 4 };
    expect(tripReason(rules, { ...nothing, failures: three, slowness: four })).toBe('slow-rate');
  });
});
