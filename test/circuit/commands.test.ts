import type { Verdict } from '../../src/circuit/permit.js';
import { isLegal, type CircuitState } from '../../src/circuit/state.js';
import { Bench } from './circuits.js';

const options = { consecutiveFailures: 2, cooldown: 300 } as const;

/** A circuit brought to a state, with a permit of that era where one can be had. */
const into: Record<CircuitState, () => Bench> = {
  closed: () => new Bench(options),
  open: () => {
    const bench = new Bench(options);
    bench.trip();
    return bench;
  },
  'half-open': () => {
    const bench = into.open();
    bench.clock.advance(300);
    bench.circuit.update();
    return bench;
  },
  'forced-open': () => {
    const bench = new Bench(options);
    bench.circuit.command('open');
    return bench;
  },
  disabled: () => {
    const bench = new Bench(options);
    bench.circuit.command('disable');
    return bench;
  },
};

const states = Object.keys(into) as CircuitState[];

describe('state × command → state, event', () => {
  const refusing = ['open', 'forced-open'];
  const isAway = (state: CircuitState) => refusing.includes(state) || state === 'half-open';

  it.each(states)('%s → open() → forced-open', (state) => {
    const bench = into[state]();
    const before = bench.events.transitions.length;
    bench.circuit.command('open');
    expect(bench.state).toBe('forced-open');
    expect(bench.events.transitions.slice(before)).toEqual(state === 'forced-open' ? [] : ['OPEN']);
    expect(bench.events.last('OPEN')).toMatchObject({ reason: 'manual', cooldownMs: Infinity });
  });

  it.each(states)('%s → close() → closed', (state) => {
    const bench = into[state]();
    const before = bench.events.transitions.length;
    bench.circuit.command('close');
    expect(bench.state).toBe('closed');
    expect(bench.events.transitions.slice(before)).toEqual(isAway(state) ? ['CLOSE'] : []);
  });

  it.each(states)('%s → disable() → disabled', (state) => {
    const bench = into[state]();
    const before = bench.events.transitions.length;
    bench.circuit.command('disable');
    expect(bench.state).toBe('disabled');
    expect(bench.events.transitions.slice(before)).toEqual(isAway(state) ? ['CLOSE'] : []);
  });

  it('tells a manual CLOSE with how long it was open', () => {
    const bench = into.open();
    bench.clock.advance(100);
    bench.circuit.command('open');
    bench.clock.advance(100);
    bench.circuit.command('close');
    expect(bench.events.last('CLOSE')).toEqual({
      key: 'default',
      reason: 'manual',
      openForMs: 200,
    });
  });
});

describe('state × verdict → state', () => {
  it.each<[CircuitState, Verdict, CircuitState]>([
    ['closed', 'success', 'closed'],
    ['closed', 'failure', 'closed'],
    ['closed', 'ignored', 'closed'],
    ['half-open', 'success', 'closed'],
    ['half-open', 'failure', 'open'],
    ['half-open', 'ignored', 'half-open'],
    ['disabled', 'success', 'disabled'],
    ['disabled', 'failure', 'disabled'],
    ['disabled', 'ignored', 'disabled'],
  ])('%s × %s → %s', (from, verdict, to) => {
    const bench = into[from]();
    bench.call(verdict);
    expect(bench.state).toBe(to);
  });
});

describe('a forced-open circuit', () => {
  it('refuses until close(), whatever time passes', () => {
    const bench = into['forced-open']();
    bench.clock.advance(1e12);
    expect(bench.refusal()).toMatchObject({
      state: 'forced-open',
      reason: 'manual',
      retryAfterMs: Infinity,
      cause: undefined,
    });
    expect(bench.circuit.figures()).toMatchObject({ retryAfterMs: Infinity, openReason: 'manual' });
    bench.circuit.command('close');
    bench.call('success');
  });
});

describe('a disabled circuit', () => {
  it('admits all, and counts only totals', () => {
    const bench = into.disabled();
    bench.call(['failure', 'failure', 'failure', 'success', 'ignored']);
    expect(bench.circuit.figures()).toMatchObject({
      failureRate: 0,
      counts: { admitted: 5, failure: 3, success: 1, ignored: 1, late: 0, opened: 0 },
    });
    expect(bench.events.transitions).toEqual([]);
  });

  it('takes no call for slow', () => {
    const bench = new Bench({ slowCallDuration: 50 });
    bench.circuit.command('disable');
    bench.call('success', 50);
    expect(bench.counts).toMatchObject({ success: 1, slow: 0 });
  });

  it('leaves its results behind when it is closed', () => {
    const bench = into.disabled();
    const permits = [bench.admit(), bench.admit()];
    bench.circuit.command('close');
    for (const permit of permits) permit.settle('failure');
    expect(bench.state).toBe('closed');
    expect(bench.counts).toMatchObject({ failure: 2, late: 2 });
  });
});

describe('a command', () => {
  it.each(['close', 'disable', 'open'] as const)(
    '%s() starts a new era, even to the same state',
    (name) => {
      const bench = new Bench({ consecutiveFailures: 1 });
      bench.circuit.command(name);
      if (name === 'open') bench.circuit.command('close');
      const permit = bench.admit();
      bench.circuit.command(name);
      bench.circuit.command(name);
      permit.settle('failure');
      expect(bench.counts.late).toBe(1);
      expect(bench.counts.opened).toBe(name === 'open' ? 2 : 0);
    },
  );

  it('empties the window of a closed circuit', () => {
    const bench = new Bench(options);
    bench.call('failure');
    bench.circuit.command('close');
    bench.call('failure');
    expect(bench.state).toBe('closed');
  });

  it('comes after what time had made due', () => {
    const bench = into.open();
    bench.clock.advance(300);
    bench.circuit.command('open');
    expect(bench.events.transitions).toEqual(['OPEN', 'HALF_OPEN', 'OPEN']);
  });
});

describe('observe mode', () => {
  it('runs the whole machine, tells WOULD_OPEN, and refuses nothing', () => {
    const bench = new Bench({ consecutiveFailures: 1, cooldown: 300, mode: 'observe' });
    bench.call('failure');
    expect(bench.state).toBe('open');
    bench.call(['success', 'failure', 'failure']);
    expect(bench.events.transitions).toEqual(['WOULD_OPEN']);
    expect(bench.counts).toMatchObject({ admitted: 4, refused: 0, failure: 3, late: 0, opened: 1 });
    bench.clock.advance(300);
    const probe = bench.admit();
    const beside = bench.admit();
    expect([probe.probe, beside.probe]).toEqual([true, false]);
    beside.settle('failure');
    expect(bench.state).toBe('half-open');
    probe.settle('success');
    expect(bench.state).toBe('closed');
  });

  it('admits while forced open, too', () => {
    const bench = new Bench({ mode: 'observe' });
    bench.circuit.command('open');
    bench.call('success');
    expect(bench.events.transitions).toEqual(['WOULD_OPEN']);
  });
});

describe('the table of legal transitions', () => {
  it.each<[CircuitState, CircuitState[]]>([
    ['closed', ['closed', 'open', 'forced-open', 'disabled']],
    ['open', ['closed', 'half-open', 'forced-open', 'disabled']],
    ['half-open', ['closed', 'open', 'forced-open', 'disabled']],
    ['forced-open', ['closed', 'forced-open', 'disabled']],
    ['disabled', ['closed', 'forced-open', 'disabled']],
  ])('from %s leads to %j only', (from, allowed) => {
    const found = states.filter((to) => isLegal(from, to));
    expect(found.sort()).toEqual([...allowed].sort());
  });
});
