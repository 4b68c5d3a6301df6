import fc from 'fast-check';
import type { RateLimit, Verdict } from '../../src/circuit/permit.js';
import type { CircuitBreakerOptions } from '../../src/index.js';
import { eventNames, longestWait, Pair, type Reaction, type Reactions, type Step } from './pair.js';

/** The nightly length is 20_000 runs of 400 steps. */
const numRuns = Number(process.env['MODEL_RUNS'] ?? 2_000);
const maxLength = Number(process.env['MODEL_STEPS'] ?? 200);

const wait = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, -100, -3_600_000, 3_600_000) },
);
const recovery = fc.constantFrom('clock' as const, 'probe' as const);
const stated = fc.record({
  waitMs: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: longestWait })),
  from: fc.constantFrom('retry-after', 'ratelimit'),
  recovery,
});
const bare = fc.record({
  waitMs: fc.constant(undefined),
  from: fc.constant(undefined),
  recovery,
});
const none = fc.constant(undefined);
/** A failure may state a wait or only that there is a limit, a success a wait. */
const rateLimits: Record<Verdict, fc.Arbitrary<RateLimit | undefined>> = {
  success: fc.oneof({ weight: 4, arbitrary: none }, stated),
  failure: fc.oneof({ weight: 2, arbitrary: none }, stated, bare),
  ignored: none,
};
const deadline = fc.constantFrom(50, 500, 30_000);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('acquire' as const),
      deadline,
    }),
  },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom<Verdict>('success', 'failure', 'failure', 'ignored')
      .chain((verdict) =>
        fc.record({
          do: fc.constant('settle' as const),
          pick: fc.nat(),
          verdict: fc.constant(verdict),
          isExcused: fc.boolean(),
          rateLimit: rateLimits[verdict],
        }),
      ),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: wait }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('open', 'close', 'disable', 'update') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('learn' as const),
      news: fc.oneof(
        fc.constant('closed' as const),
        fc.record({
          waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: longestWait })),
          recovery,
          row: fc.integer({ min: 0, max: 3 }),
        }),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('turn' as const), deadline }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('use' as const),
      deadline,
      isGranted: fc.boolean(),
    }),
  },
);

const few = fc.integer({ min: 1, max: 4 });
const threshold = fc.constantFrom(0.25, 0.5, 1);
const options: fc.Arbitrary<CircuitBreakerOptions> = fc
  .record({
    rule: fc.constantFrom('first-error', 'default', 'rate', 'row', 'both'),
    threshold,
    inARow: few,
    window: fc.constantFrom(
      { windowSize: 4 },
      { windowSize: 7 },
      { windowDuration: 200 },
      { windowDuration: 5_000 },
    ),
    minimumCalls: few,
    slow: fc.option(
      fc.record({ slowCallDuration: fc.constantFrom(50, 250), slowCallThreshold: threshold }),
    ),
    cooldown: fc.constantFrom(0, 100, 1_000),
    cooldownFactor: fc.constantFrom(1, 2),
    maxCooldown: fc.constantFrom(1_000, 3_000),
    cooldownJitter: fc.constantFrom(0, 0.5),
    halfOpen: fc.constantFrom(
      undefined,
      false as const,
      { probes: 1 },
      { probes: 3, concurrent: 2, lease: 120 },
    ),
    mode: fc.constantFrom('enforce' as const, 'enforce' as const, 'observe' as const),
  })
  .map(
    ({
      rule,
      threshold: failureThreshold,
      inARow: consecutiveFailures,
      window,
      slow,
      ...rest
    }) => ({
      ...rest,
      ...window,
      ...slow,
      ...(rule === 'first-error' && { errorHandler: () => true }),
      ...((rule === 'rate' || rule === 'both') && { failureThreshold }),
      ...((rule === 'row' || rule === 'both') && { consecutiveFailures }),
    }),
  );

const reactions: fc.Arbitrary<Reactions> = fc.dictionary(
  fc.constantFrom(...eventNames),
  fc.constantFrom<Reaction>('acquire', 'open', 'close', 'disable', 'throw', 'throw'),
  { maxKeys: 3 },
);

describe('the circuit, on random schedules', () => {
  it('does what its reference model does, step by step, and never wedges', () => {
    fc.assert(
      fc.property(
        options,
        reactions,
        fc.array(step, { maxLength, size: 'max' }),
        (given, react, steps) => {
          const pair = new Pair(given, react);
          for (const next of steps) pair.run(next);
          pair.expectLiveness();
        },
      ),
      { numRuns },
    );
  });
});
