import type { Evidence, RateLimit } from '../../src/circuit/permit.js';
import type { CircuitBreakerOptions } from '../../src/index.js';
import { Bench } from './circuits.js';

const stated = (waitMs: number, recovery: RateLimit['recovery'] = 'clock'): Evidence => ({
  rateLimit: { waitMs, from: 'retry-after', recovery },
});
const bare: Evidence = {
  rateLimit: { waitMs: undefined, from: undefined, recovery: 'clock' },
};
const growing = { cooldown: 1_000, cooldownFactor: 2, maxCooldown: 30_000 } as const;

/** The cooldown of the opening that this answer leads to. */
function cooldownAfter(bench: Bench, evidence: Evidence): number {
  bench.call('failure', 0, evidence);
  return bench.events.last('OPEN').cooldownMs;
}

/** Lets the current opening end. */
function pass(bench: Bench): void {
  bench.clock.advance(bench.circuit.figures().retryAfterMs);
  bench.circuit.update();
}

describe('a rate limit opens a closed circuit', () => {
  it.each<[string, CircuitBreakerOptions]>([
    ['by the first error', { errorHandler: () => true, cooldown: 300 }],
    ['by a row', { consecutiveFailures: 5, cooldown: 300 }],
    ['by a share', { failureThreshold: 0.5, minimumCalls: 10, cooldown: 300 }],
    ['by slowness', { slowCallDuration: 100, cooldown: 300 }],
    ['by default', { cooldown: 300 }],
  ])('at once, for the time that is stated, beside a rule that opens %s', (_title, options) => {
    const bench = new Bench(options);
    const error = new Error('too many');
    bench.call('failure', 0, { ...stated(7_000), error });
    expect(bench.events.names).toEqual(['FAILURE', 'OPEN']);
    expect(bench.events.last('OPEN')).toEqual({
      key: 'default',
      reason: 'rate-limit',
      error,
      cooldownMs: 7_000,
      from: 'retry-after',
    });
    expect(bench.refusal()).toMatchObject({
      reason: 'rate-limit',
      retryAfterMs: 7_000,
      cause: { message: 'too many' },
    });
  });

  it('for the cooldown where no time is stated', () => {
    const bench = new Bench({ cooldown: 300 });
    bench.call('failure', 0, bare);
    expect(bench.events.last('OPEN')).toMatchObject({
      reason: 'rate-limit',
      cooldownMs: 300,
      from: undefined,
    });
  });

  it('for less than the cooldown, too', () => {
    const bench = new Bench({ cooldown: 60_000, cooldownJitter: 0.5 });
    expect(cooldownAfter(bench, stated(1_500))).toBe(1_500);
  });

  it('and is named before the rule that it fulfils as well', () => {
    const bench = new Bench({ consecutiveFailures: 1 });
    bench.call('failure', 0, stated(7_000));
    expect(bench.events.last('OPEN').reason).toBe('rate-limit');
  });

  it('and is no sample of the window', () => {
    const bench = new Bench({ failureThreshold: 0.5, minimumCalls: 2, cooldown: 0 });
    bench.call('failure', 0, bare);
    bench.call('success');
    expect(bench.circuit.figures()).toMatchObject({ state: 'closed', failureRate: 0 });
    expect(bench.counts).toMatchObject({ failure: 1, success: 1 });
  });
});

describe('a circuit opened by a rate limit is left', () => {
  it('by the clock at the very millisecond', () => {
    const bench = new Bench();
    bench.call('failure', 0, stated(7_000));
    bench.clock.advance(6_999);
    expect(bench.refusal().retryAfterMs).toBe(1);
    bench.clock.advance(1);
    bench.call('success');
    expect(bench.events.transitions).toEqual(['OPEN', 'CLOSE']);
    expect(bench.events.last('CLOSE')).toMatchObject({
      reason: 'cooldown-elapsed',
      openForMs: 7_000,
    });
  });

  it('by a probe where the answer calls for one', () => {
    const bench = new Bench();
    bench.call('failure', 0, stated(7_000, 'probe'));
    pass(bench);
    expect(bench.state).toBe('half-open');
    expect(bench.circuit.figures().openReason).toBe('rate-limit');
    bench.call('success');
    expect(bench.events.transitions).toEqual(['OPEN', 'HALF_OPEN', 'CLOSE']);
  });

  it.each([
    [false as const, 'closed'],
    [{ probes: 1 }, 'half-open'],
  ])('as halfOpen: %j says for all openings', (halfOpen, state) => {
    for (const recovery of ['clock', 'probe'] as const) {
      const bench = new Bench({ halfOpen });
      bench.call('failure', 0, stated(7_000, recovery));
      pass(bench);
      expect(bench.state).toBe(state);
    }
  });
});

describe('a probe that is answered by a rate limit', () => {
  function probing(): Bench {
    const bench = new Bench({ consecutiveFailures: 1, cooldown: 300, cooldownFactor: 1 });
    bench.trip();
    pass(bench);
    return bench;
  }

  it('opens again for the time that is stated, and by that reason', () => {
    const bench = probing();
    bench.call('failure', 10, stated(7_000));
    expect(bench.events.transitions).toEqual(['OPEN', 'HALF_OPEN', 'OPEN']);
    expect(bench.events.last('OPEN')).toMatchObject({
      reason: 'rate-limit',
      cooldownMs: 7_000,
      from: 'retry-after',
    });
    pass(bench);
    expect(bench.events.last('CLOSE')).toMatchObject({ openForMs: 7_310 });
  });

  it('opens again for the cooldown where none is stated', () => {
    const bench = probing();
    bench.call('failure', 10, bare);
    expect(bench.events.last('OPEN')).toMatchObject({ reason: 'rate-limit', cooldownMs: 300 });
    pass(bench);
    expect(bench.state).toBe('closed');
  });

  it('opens again where it succeeded and nothing is left', () => {
    const bench = probing();
    bench.call('success', 10, stated(7_000));
    expect(bench.events.last('OPEN')).toMatchObject({ reason: 'rate-limit', error: undefined });
    pass(bench);
    bench.call('success');
    expect(bench.state).toBe('closed');
  });

  it('gives its slot back where it is ignored', () => {
    const bench = probing();
    bench.call('ignored', 10, stated(7_000));
    expect(bench.state).toBe('half-open');
    bench.call('success');
    expect(bench.state).toBe('closed');
  });
});

describe('while open, a late answer that states a wait', () => {
  /** Open for 10 s, with requests still under way. */
  function open(options: CircuitBreakerOptions = {}) {
    const bench = new Bench(options);
    const [first, second, third] = [bench.admit(), bench.admit(), bench.admit()];
    bench.call('failure', 0, stated(10_000));
    return { bench, first, second, third };
  }

  it('moves the end out, and tells nothing but itself', () => {
    const { bench, first } = open();
    bench.clock.advance(4_000);
    first.settle('failure', stated(9_000));
    expect(bench.refusal().retryAfterMs).toBe(9_000);
    expect(bench.circuit.dueAt).toBe(bench.clock.now() + 9_000);
    expect(bench.events.names).toEqual(['FAILURE', 'OPEN', 'FAILURE']);
    expect(bench.circuit.figures().openReason).toBe('rate-limit');
    expect(bench.counts).toMatchObject({ opened: 1, late: 1 });
    pass(bench);
    expect(bench.events.last('CLOSE').openForMs).toBe(13_000);
  });

  it('never moves it in', () => {
    const { bench, first, second, third } = open();
    bench.clock.advance(4_000);
    first.settle('failure', stated(5_999));
    expect(bench.refusal().retryAfterMs).toBe(6_000);
    second.settle('failure', stated(6_001));
    expect(bench.refusal().retryAfterMs).toBe(6_001);
    third.settle('failure', stated(1));
    expect(bench.refusal().retryAfterMs).toBe(6_001);
  });

  it('does so after a success, too: it may say that nothing is left', () => {
    const { bench, first } = open();
    first.settle('success', stated(20_000));
    expect(bench.refusal().retryAfterMs).toBe(20_000);
  });

  it.each<[string, Evidence]>([
    ['states no time', bare],
    ['is an ordinary failure', {}],
  ])('changes nothing where it %s', (_title, evidence) => {
    const { bench, first } = open();
    bench.clock.advance(4_000);
    first.settle('failure', evidence);
    expect(bench.refusal().retryAfterMs).toBe(6_000);
  });

  it('keeps how the opening is left', () => {
    const bench = new Bench({ consecutiveFailures: 1, cooldown: 300 });
    const old = bench.admit();
    bench.trip();
    old.settle('failure', stated(5_000));
    expect(bench.refusal()).toMatchObject({ reason: 'consecutive', retryAfterMs: 5_000 });
    pass(bench);
    expect(bench.state).toBe('half-open');
  });

  it('is waited for by whoever waits for the end', () => {
    const { bench, first } = open();
    const end = bench.circuit.dueAt ?? 0;
    first.settle('failure', stated(30_000));
    bench.clock.advance(end - bench.clock.now());
    bench.circuit.update();
    expect(bench.state).toBe('open');
    expect(bench.circuit.dueAt).toBe(end + 20_000);
  });

  it('changes nothing once the circuit has closed or is half-open', () => {
    const { bench, first } = open();
    pass(bench);
    first.settle('failure', stated(9_000));
    expect(bench.state).toBe('closed');

    const probed = open({ halfOpen: { probes: 1 } });
    pass(probed.bench);
    probed.first.settle('failure', stated(9_000));
    expect(probed.bench.state).toBe('half-open');
    probed.bench.call('success');
    expect(probed.bench.state).toBe('closed');
  });

  it.each(['open', 'disable'] as const)('changes nothing after %s()', (command) => {
    const { bench, first } = open();
    bench.circuit.command(command);
    const { retryAfterMs, state } = bench.circuit.figures();
    first.settle('failure', stated(9_000));
    expect(bench.circuit.figures()).toMatchObject({ retryAfterMs, state });
    expect(bench.circuit.dueAt).toBeUndefined();
  });
});

describe('growth over rate limits in a row', () => {
  it('is that of answers that state no time, while each closing meets the next without a success between', () => {
    const bench = new Bench(growing);
    const cooldowns = Array.from({ length: 7 }, () => {
      const cooldown = cooldownAfter(bench, bare);
      pass(bench);
      return cooldown;
    });
    expect(cooldowns).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('ends with a success', () => {
    const bench = new Bench(growing);
    cooldownAfter(bench, bare);
    pass(bench);
    expect(cooldownAfter(bench, bare)).toBe(2_000);
    pass(bench);
    bench.call('success');
    expect(cooldownAfter(bench, bare)).toBe(1_000);
  });

  it('does not end with time alone, nor with an ignored call', () => {
    const bench = new Bench(growing);
    cooldownAfter(bench, bare);
    bench.clock.advance(3_600_000);
    bench.call('ignored');
    expect(cooldownAfter(bench, bare)).toBe(2_000);
  });

  it('ends with close()', () => {
    const bench = new Bench(growing);
    cooldownAfter(bench, bare);
    pass(bench);
    cooldownAfter(bench, bare);
    bench.circuit.command('close');
    expect(cooldownAfter(bench, bare)).toBe(1_000);
  });

  it('does not count the openings with a stated time, and does not end with them', () => {
    const bench = new Bench(growing);
    for (let opening = 0; opening < 5; opening += 1) {
      expect(cooldownAfter(bench, stated(5_000))).toBe(5_000);
      pass(bench);
    }
    expect(cooldownAfter(bench, bare)).toBe(1_000);
    pass(bench);
    expect(cooldownAfter(bench, stated(5_000))).toBe(5_000);
    pass(bench);
    expect(cooldownAfter(bench, bare)).toBe(2_000);
  });

  it('is nothing to a stated time', () => {
    const bench = new Bench(growing);
    for (let opening = 0; opening < 4; opening += 1) {
      cooldownAfter(bench, bare);
      pass(bench);
    }
    expect(cooldownAfter(bench, stated(1_500))).toBe(1_500);
  });

  it('goes on where an outage and a rate limit follow each other', () => {
    const bench = new Bench({ ...growing, consecutiveFailures: 1 });
    bench.trip();
    pass(bench);
    expect(cooldownAfter(bench, bare)).toBe(2_000);
    pass(bench);
    bench.trip();
    expect(bench.events.last('OPEN')).toMatchObject({ reason: 'consecutive', cooldownMs: 4_000 });
  });

  it('is none with the first-error rule', () => {
    const bench = new Bench({ errorHandler: () => true });
    expect(cooldownAfter(bench, bare)).toBe(10_000);
    pass(bench);
    expect(cooldownAfter(bench, bare)).toBe(10_000);
  });
});

describe('a success that says that nothing is left', () => {
  it('opens a closed circuit', () => {
    const bench = new Bench();
    const response = { status: 200 };
    bench.call('success', 0, { ...stated(7_000), response });
    expect(bench.events.names).toEqual(['SUCCESS', 'OPEN']);
    expect(bench.events.last('OPEN')).toMatchObject({
      reason: 'rate-limit',
      error: undefined,
      cooldownMs: 7_000,
      from: 'retry-after',
    });
    expect(bench.refusal().cause).toBeUndefined();
    expect(bench.counts).toMatchObject({ success: 1, failure: 0, opened: 1 });
    expect(bench.circuit.figures().lastError).toBeUndefined();
  });

  it('ends a row like any success', () => {
    const bench = new Bench(growing);
    cooldownAfter(bench, bare);
    pass(bench);
    bench.call('success', 0, stated(5_000));
    pass(bench);
    expect(cooldownAfter(bench, bare)).toBe(1_000);
  });
});

describe('a rate limit where the circuit only observes', () => {
  it('is told, and refuses nothing', () => {
    const bench = new Bench({ mode: 'observe' });
    bench.call('failure', 0, stated(7_000));
    expect(bench.events.last('WOULD_OPEN')).toMatchObject({
      reason: 'rate-limit',
      cooldownMs: 7_000,
      from: 'retry-after',
    });
    bench.call(['failure', 'success'], 0, stated(9_000));
    expect(bench.events.transitions).toEqual(['WOULD_OPEN']);
    bench.clock.advance(7_000);
    bench.call('success');
    expect(bench.events.transitions).toEqual(['WOULD_OPEN', 'CLOSE']);
    expect(bench.counts.refused).toBe(0);
  });
});

describe('a rate limit where a command rules', () => {
  it.each(['open', 'disable'] as const)('changes nothing after %s()', (command) => {
    const bench = new Bench();
    const permit = bench.admit();
    bench.circuit.command(command);
    const before = bench.state;
    permit.settle('failure', stated(7_000));
    if (command === 'disable') bench.call('failure', 0, stated(7_000));
    expect(bench.state).toBe(before);
    bench.circuit.command('close');
    expect(bench.state).toBe('closed');
    bench.call('success');
  });
});
