import { Bench } from './circuits.js';

const byClock = {
  consecutiveFailures: 1,
  cooldown: 300,
  cooldownFactor: 1,
  halfOpen: false,
} as const;

describe('an open circuit', () => {
  it('refuses until the cooldown is over, and says for how long', () => {
    const bench = new Bench(byClock);
    bench.trip();
    expect(bench.refusal()).toMatchObject({
      state: 'open',
      reason: 'consecutive',
      retryAfterMs: 300,
    });
    bench.clock.advance(299.5);
    expect(bench.refusal().retryAfterMs).toBe(1);
    bench.clock.advance(0.5);
    bench.call('success');
    expect(bench.counts).toMatchObject({ refused: 2, admitted: 2 });
  });

  it('closes by the clock at the instant the cooldown ends, however late that is noticed', () => {
    const bench = new Bench(byClock);
    bench.trip();
    bench.clock.advance(5_000);
    bench.circuit.update();
    expect(bench.events.last('CLOSE')).toEqual({
      key: 'default',
      reason: 'cooldown-elapsed',
      openForMs: 300,
    });
  });

  it('is not kept open by constant traffic', () => {
    const bench = new Bench(byClock);
    bench.trip();
    for (let elapsed = 0; elapsed < 300; elapsed += 10) {
      bench.refusal();
      bench.clock.advance(10);
    }
    bench.call('success');
    expect(bench.counts).toMatchObject({ refused: 30, failure: 1 });
  });

  it('counts refusals in no window', () => {
    const bench = new Bench({
      ...byClock,
      minimumCalls: 2,
      failureThreshold: 0.5,
      consecutiveFailures: 9,
    });
    bench.call(['failure', 'failure']);
    bench.refusal();
    bench.clock.advance(300);
    bench.call('failure');
    expect(bench.circuit.figures().failureRate).toBe(1);
    expect(bench.state).toBe('closed');
  });

  it('reads as closed once the cooldown is over, without committing it', () => {
    const bench = new Bench(byClock);
    bench.trip();
    bench.clock.advance(300);
    expect(bench.circuit.figures()).toMatchObject({ state: 'closed', retryAfterMs: 0 });
    expect(bench.circuit.figures().openReason).toBeUndefined();
    expect(bench.events.transitions).toEqual(['OPEN']);
    bench.circuit.update();
    expect(bench.events.transitions).toEqual(['OPEN', 'CLOSE']);
  });

  it('says when it is due, and nothing where no time is set', () => {
    const bench = new Bench(byClock);
    expect(bench.circuit.dueAt).toBeUndefined();
    bench.trip();
    expect(bench.circuit.dueAt).toBe(bench.clock.now() + 300);
    bench.circuit.command('open');
    expect(bench.circuit.dueAt).toBeUndefined();
  });

  it.each([2 ** 31, Infinity])('stays open for a cooldown of %d ms', (cooldown) => {
    const bench = new Bench({ ...byClock, cooldown });
    bench.trip();
    expect(bench.events.last('OPEN').cooldownMs).toBe(cooldown);
    bench.clock.advance(2 ** 31 - 1);
    expect(bench.refusal().retryAfterMs).toBe(cooldown - (2 ** 31 - 1));
  });

  it('is over at once with a cooldown of 0', () => {
    const bench = new Bench({ ...byClock, cooldown: 0 });
    bench.call(['failure', 'failure']);
    expect(bench.events.transitions).toEqual(['OPEN', 'CLOSE', 'OPEN']);
  });

  it('starts with an empty window and row when it has closed', () => {
    const bench = new Bench({
      ...byClock,
      consecutiveFailures: 2,
      failureThreshold: 0.5,
      minimumCalls: 4,
    });
    bench.call(['success', 'failure', 'failure']);
    bench.clock.advance(300);
    bench.call('failure');
    expect(bench.state).toBe('closed');
  });

  it.each(['success', 'failure', 'ignored'] as const)(
    'is moved by no late %s: it counts as late and nothing else',
    (verdict) => {
      const bench = new Bench({ ...byClock, consecutiveFailures: 1 });
      const slow = bench.admit();
      bench.trip();
      const before = bench.circuit.dueAt;
      bench.clock.advance(100);
      slow.settle(verdict);
      expect(bench.circuit.dueAt).toBe(before);
      expect(bench.events.transitions).toEqual(['OPEN']);
      expect(bench.counts.late).toBe(1);
      bench.refusal();
    },
  );

  it('lets no result of an earlier closed era into a later one', () => {
    const bench = new Bench({ ...byClock, consecutiveFailures: 2 });
    const old = bench.admit();
    bench.call(['failure', 'failure']);
    bench.clock.advance(300);
    bench.call('failure');
    old.settle('failure');
    expect(bench.state).toBe('closed');
    expect(bench.circuit.figures().failureRate).toBe(1);
    expect(bench.counts).toMatchObject({ failure: 4, late: 1, opened: 1 });
  });

  it('opens once when many failures end at the same instant', () => {
    const bench = new Bench({ ...byClock, consecutiveFailures: 5 });
    const permits = Array.from({ length: 8 }, () => bench.admit());
    for (const permit of permits) permit.settle('failure');
    expect(bench.events.transitions).toEqual(['OPEN']);
    expect(bench.counts).toMatchObject({ failure: 8, late: 3, opened: 1 });
  });
});

describe('a permit', () => {
  it('is settled once, whatever comes after', () => {
    const bench = new Bench({ consecutiveFailures: 2 });
    const permit = bench.admit();
    permit.settle('failure');
    permit.settle('failure');
    permit.settle('success');
    expect(bench.counts).toMatchObject({ admitted: 1, failure: 1, success: 0 });
    expect(bench.circuit.figures().inFlight).toBe(0);
    expect(bench.state).toBe('closed');
  });
});

describe('time', () => {
  it('never runs backwards', () => {
    const bench = new Bench(byClock);
    let now = 1_000;
    jest.spyOn(bench.clock, 'now').mockImplementation(() => now);
    const permit = bench.admit();
    now = 1_100;
    bench.trip();
    now = -3_600_000;
    expect(bench.refusal().retryAfterMs).toBe(300);
    permit.settle('success');
    expect(bench.events.last('SUCCESS').durationMs).toBe(100);
    now = 1_399;
    expect(bench.refusal().retryAfterMs).toBe(1);
    now = 1_400;
    bench.admit();
    expect(bench.events.last('CLOSE').openForMs).toBe(300);
  });
});
