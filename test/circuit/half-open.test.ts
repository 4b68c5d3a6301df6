import { Bench } from './circuits.js';

const probed = { consecutiveFailures: 1, cooldown: 300, cooldownFactor: 1 } as const;

function halfOpen(options: ConstructorParameters<typeof Bench>[0] = {}): Bench {
  const bench = new Bench({ ...probed, ...options });
  bench.trip();
  bench.clock.advance(300);
  bench.circuit.update();
  return bench;
}

describe('a half-open circuit', () => {
  it('is told when the cooldown is over, and reads so', () => {
    const bench = halfOpen();
    expect(bench.events.transitions).toEqual(['OPEN', 'HALF_OPEN']);
    expect(bench.events.last('HALF_OPEN')).toEqual({ key: 'default' });
    expect(bench.circuit.figures()).toMatchObject({
      state: 'half-open',
      retryAfterMs: 0,
      openReason: 'consecutive',
    });
  });

  it('admits one probe and refuses the others at once', () => {
    const bench = halfOpen();
    const probe = bench.admit();
    expect(probe.probe).toBe(true);
    expect(bench.refusal()).toMatchObject({
      state: 'half-open',
      reason: 'consecutive',
      retryAfterMs: 0,
    });
  });

  it('tells others what opened it', () => {
    const bench = new Bench(probed);
    bench.call('failure', 0, { error: new Error('gone') });
    bench.clock.advance(300);
    bench.admit();
    expect(bench.refusal().cause).toMatchObject({ message: 'gone' });
  });

  it('closes when the probe passes', () => {
    const bench = halfOpen();
    bench.call('success', 50);
    expect(bench.events.transitions).toEqual(['OPEN', 'HALF_OPEN', 'CLOSE']);
    expect(bench.events.last('SUCCESS')).toMatchObject({ probe: true, late: false });
    expect(bench.events.last('CLOSE')).toMatchObject({ reason: 'probes-passed', openForMs: 350 });
    expect(bench.circuit.figures().failureRate).toBe(0);
  });

  it('opens again, with a fresh cooldown, when the probe fails', () => {
    const bench = halfOpen();
    const error = new Error('still gone');
    bench.call('failure', 50, { error });
    expect(bench.events.transitions).toEqual(['OPEN', 'HALF_OPEN', 'OPEN']);
    expect(bench.events.last('OPEN')).toMatchObject({
      reason: 'probe-failed',
      error,
      cooldownMs: 300,
    });
    expect(bench.refusal().retryAfterMs).toBe(300);
  });

  it('opens again when the probe is slow, even if it succeeds', () => {
    const bench = halfOpen({ slowCallDuration: 100 });
    bench.call('success', 100);
    expect(bench.events.last('OPEN').reason).toBe('probe-failed');
  });

  it('asks for no minimum of calls', () => {
    const bench = new Bench({ failureThreshold: 0.5, minimumCalls: 10, cooldown: 300 });
    for (let call = 0; call < 10; call += 1) bench.call('failure');
    bench.clock.advance(300);
    bench.call('failure');
    expect(bench.state).toBe('open');
  });

  it('gets the slot back from an ignored probe', () => {
    const bench = halfOpen();
    bench.call('ignored');
    expect(bench.state).toBe('half-open');
    bench.call('success');
    expect(bench.state).toBe('closed');
  });

  it('counts openForMs from the first opening, over failed probes', () => {
    const bench = halfOpen();
    bench.call('failure');
    bench.clock.advance(300);
    bench.call('success');
    expect(bench.events.last('CLOSE').openForMs).toBe(600);
  });

  it('needs all of several probes, and admits no more than are still needed', () => {
    const bench = halfOpen({ halfOpen: { probes: 3, concurrent: 2 } });
    const [first, second] = [bench.admit(), bench.admit()];
    bench.refusal();
    first.settle('success');
    const third = bench.admit();
    second.settle('success');
    bench.refusal();
    expect(bench.state).toBe('half-open');
    third.settle('success');
    expect(bench.state).toBe('closed');
  });

  it('opens on one failed probe of several, and takes the rest for late', () => {
    const bench = halfOpen({ halfOpen: { probes: 2, concurrent: 2 } });
    const [first, second] = [bench.admit(), bench.admit()];
    first.settle('failure');
    second.settle('success');
    expect(bench.state).toBe('open');
    expect(bench.counts).toMatchObject({ late: 1, opened: 2 });
  });

  it('lets no probe of an earlier half-open era close a later one', () => {
    const bench = halfOpen({ halfOpen: { probes: 1, concurrent: 1, lease: 100 } });
    const lost = bench.admit();
    bench.clock.advance(500);
    bench.circuit.update();
    expect(bench.state).toBe('half-open');
    lost.settle('success');
    expect(bench.state).toBe('half-open');
  });

  it('lets no permit from before the opening take part', () => {
    const bench = new Bench(probed);
    const old = bench.admit();
    bench.trip();
    bench.clock.advance(300);
    const probe = bench.admit();
    old.settle('success');
    expect(bench.state).toBe('half-open');
    bench.refusal();
    probe.settle('success');
    expect(bench.state).toBe('closed');
  });
});

describe('the lease of a probe', () => {
  it('ends in an opening at its own instant, and the answer that comes later counts nothing', () => {
    const bench = halfOpen({ halfOpen: { lease: 100 } });
    const lost = bench.admit();
    bench.clock.advance(99);
    bench.refusal();
    bench.clock.advance(51);
    expect(bench.refusal()).toMatchObject({ reason: 'probe-expired', retryAfterMs: 250 });
    expect(bench.events.names.slice(-2)).toEqual(['FAILURE', 'OPEN']);
    expect(bench.events.last('FAILURE')).toMatchObject({
      probe: true,
      late: false,
      durationMs: 100,
    });
    expect(lost.settled).toBe(true);
    lost.settle('success');
    expect(bench.counts).toMatchObject({ admitted: 2, failure: 2, success: 0, late: 0 });
    expect(bench.circuit.figures().inFlight).toBe(0);
  });

  it('is as long as it was told to be, whatever the clock shows', () => {
    const bench = halfOpen({ halfOpen: { lease: 50 } });
    bench.clock.advance(0.3);
    expect(bench.admit().lease).toBe(50);
  });

  it('that ended while its answer came is a failed probe', () => {
    const bench = halfOpen({ halfOpen: { lease: 100 } });
    const probe = bench.admit();
    bench.clock.advance(100);
    probe.settle('success');
    expect(bench.state).toBe('open');
    expect(bench.counts).toMatchObject({ success: 0, failure: 2 });
  });

  it('that ends just when its probe is settled tells what that brought', () => {
    const bench = halfOpen({ halfOpen: { lease: 100 } });
    const probe = bench.admit();
    bench.clock.advance(100);
    const error = new Error('too late');
    probe.settle('failure', { error });
    expect(bench.events.last('FAILURE')).toMatchObject({ error, probe: true, late: false });
    expect(bench.events.last('OPEN')).toMatchObject({ error, reason: 'probe-expired' });
    expect(bench.refusal().cause).toMatchObject({ message: 'too late' });
    expect(bench.counts.failure).toBe(2);
  });

  it('that ends just when another call is settled has nothing of that to tell', () => {
    const bench = new Bench({ ...probed, halfOpen: { lease: 100 } });
    const old = bench.admit();
    bench.trip();
    bench.clock.advance(300);
    bench.admit();
    bench.clock.advance(100);
    old.settle('ignored', { error: new Error('of another call') });
    expect(bench.events.last('OPEN')).toMatchObject({ reason: 'probe-expired', error: undefined });
    expect(bench.refusal().cause).toBeUndefined();
  });

  it('is that of the probe that ends first', () => {
    const bench = halfOpen({ halfOpen: { probes: 2, concurrent: 2 } });
    bench.admit(5_000);
    bench.admit(1_000);
    bench.clock.advance(1_000);
    expect(bench.refusal()).toMatchObject({ reason: 'probe-expired', retryAfterMs: 300 });
  });

  it.each([
    ['the cooldown, where that is longer', { cooldown: 300 }, 100, 300],
    ["the request's deadline, where that is longer", { cooldown: 300 }, 700, 700],
    ['what the option says', { halfOpen: { lease: 50 } }, 700, 50],
    ['30 s where the request has no deadline', {}, undefined, 30_000],
  ])('is %s', (_title, options, deadline, lease) => {
    const bench = halfOpen(options);
    expect(bench.admit(deadline).leaseEnd).toBe(bench.clock.now() + lease);
  });

  it('ends the probe, then the cooldown, each at its own instant, when nobody looked meanwhile', () => {
    const bench = halfOpen({ halfOpen: { lease: 100 } });
    bench.admit();
    bench.clock.advance(100 + 300 + 1);
    expect(bench.state).toBe('half-open');
    bench.call('success');
    expect(bench.events.transitions).toEqual(['OPEN', 'HALF_OPEN', 'OPEN', 'HALF_OPEN', 'CLOSE']);
    expect(bench.events.last('CLOSE').openForMs).toBe(701);
  });
});

describe('how a circuit recovers', () => {
  it.each([
    ['by the clock after a first error', { errorHandler: Boolean }, 'CLOSE'],
    ['by a probe after failures in a row', { consecutiveFailures: 1 }, 'HALF_OPEN'],
    ['by the clock where halfOpen is false', { consecutiveFailures: 1, halfOpen: false }, 'CLOSE'],
    [
      'by a probe after a first error where halfOpen is set',
      { errorHandler: Boolean, halfOpen: {} },
      'HALF_OPEN',
    ],
  ] as const)('is %s', (_title, options, event) => {
    const bench = new Bench({ cooldown: 300, ...options });
    bench.trip();
    bench.clock.advance(300);
    bench.circuit.update();
    expect(bench.events.transitions).toEqual(['OPEN', event]);
  });
});

describe('openings in a row', () => {
  const growing = { consecutiveFailures: 1, cooldown: 1_000 } as const;

  it('last longer each time, up to the cap', () => {
    const bench = new Bench({ ...growing, maxCooldown: 5_000 });
    const lengths: number[] = [];
    for (let opening = 0; opening < 5; opening += 1) {
      bench.call('failure');
      lengths.push(bench.events.last('OPEN').cooldownMs);
      bench.clock.advance(5_000);
    }
    expect(lengths).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('go on after a lucky probe', () => {
    const bench = new Bench(growing);
    bench.call('failure');
    bench.clock.advance(1_000);
    bench.call('success');
    bench.clock.advance(9_999);
    bench.call('failure');
    expect(bench.events.last('OPEN').cooldownMs).toBe(2_000);
  });

  it('end when the circuit has stayed closed for a window', () => {
    const bench = new Bench({ ...growing, windowDuration: 4_000 });
    bench.call('failure');
    bench.clock.advance(1_000);
    bench.call('success');
    bench.clock.advance(4_000);
    bench.call('failure');
    expect(bench.events.last('OPEN').cooldownMs).toBe(1_000);
  });

  it('end at the first success after closing by the clock, and not by time', () => {
    const bench = new Bench({ ...growing, halfOpen: false });
    bench.call('failure');
    bench.clock.advance(1_000_000);
    bench.call('failure');
    expect(bench.events.last('OPEN').cooldownMs).toBe(2_000);
    bench.clock.advance(2_000);
    bench.call(['success', 'failure']);
    expect(bench.events.last('OPEN').cooldownMs).toBe(1_000);
  });

  it('end by a manual close', () => {
    const bench = new Bench(growing);
    bench.call('failure');
    bench.circuit.command('close');
    bench.call('failure');
    expect(bench.events.last('OPEN').cooldownMs).toBe(1_000);
  });

  it('do not grow with the first-error rule', () => {
    const bench = new Bench({ errorHandler: () => true });
    bench.call('failure');
    bench.clock.advance(10_000);
    bench.call('failure');
    expect(bench.events.last('OPEN').cooldownMs).toBe(10_000);
  });

  it('are shortened by chance, by at most the jitter', () => {
    const random = jest.fn(() => 1);
    const bench = new Bench({ ...growing, cooldownJitter: 0.1 }, { random });
    random.mockReturnValue(0.5);
    bench.call('failure');
    expect(bench.events.last('OPEN').cooldownMs).toBe(900);
    bench.clock.advance(900);
    bench.call('failure');
    expect(bench.events.last('OPEN').cooldownMs).toBe(1_900);
  });

  it('have a jitter of a tenth by default', () => {
    const bench = new Bench({ ...growing, cooldownJitter: undefined }, { random: () => 1 });
    bench.call('failure');
    expect(bench.events.last('OPEN').cooldownMs).toBe(900);
  });

  it('draw no chance when the state is read', () => {
    const random = jest.fn(() => 0);
    const bench = new Bench({ ...growing, halfOpen: { lease: 100 } }, { random });
    bench.call('failure');
    bench.clock.advance(1_000);
    bench.admit();
    bench.clock.advance(100);
    const draws = random.mock.calls.length;
    expect(bench.state).toBe('open');
    expect(random.mock.calls).toHaveLength(draws);
  });
});
