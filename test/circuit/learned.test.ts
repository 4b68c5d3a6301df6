import type { Opening } from '../../src/circuit/learned.js';
import type { Recovery } from '../../src/circuit/state.js';
import type { CircuitBreakerOptions } from '../../src/index.js';
import { Bench } from './circuits.js';

const options = { consecutiveFailures: 1, cooldown: 300, cooldownFactor: 2 };
const opening = (waitMs: number, recovery: Recovery = 'probe', row = 1): Opening => ({
  waitMs,
  recovery,
  row,
});

const stated = { waitMs: 5_000, from: 'retry-after', recovery: 'probe' } as const;

function createIn(state: string, more: CircuitBreakerOptions = {}): Bench {
  const bench = new Bench({ ...options, ...more });
  if (state === 'open' || state === 'half-open') bench.trip();
  if (state === 'half-open') bench.clock.advance(300);
  if (state === 'forced-open') bench.circuit.command('open');
  if (state === 'disabled') bench.circuit.command('disable');
  bench.circuit.update();
  bench.events.told.length = 0;
  return bench;
}

describe('what other processes have learned of an opening', () => {
  it.each([
    ['closed', opening(500), 'open', ['OPEN']],
    ['closed', opening(0), 'half-open', ['OPEN', 'HALF_OPEN']],
    ['closed', opening(0, 'clock'), 'closed', []],
    ['half-open', opening(500), 'open', ['OPEN']],
    ['half-open', opening(0), 'half-open', []],
    ['open', opening(500), 'open', []],
    ['forced-open', opening(500), 'forced-open', []],
    ['disabled', opening(500), 'disabled', []],
  ] as const)('a circuit that is %s and hears of %j is %s then', (before, news, after, told) => {
    const bench = createIn(before);
    bench.circuit.learn(news);
    bench.circuit.update();
    expect(bench.state).toBe(after);
    expect(bench.events.transitions).toEqual(told);
  });

  it('opens for what is left of it, with the reason shared', () => {
    const bench = createIn('closed');
    bench.circuit.learn(opening(500));
    expect(bench.events.last('OPEN')).toMatchObject({ reason: 'shared', cooldownMs: 500 });
    expect(bench.refusal()).toMatchObject({ reason: 'shared', retryAfterMs: 500 });
  });

  it.each([
    [100, 300],
    [500, 500],
  ])('of %i ms leaves %i ms of an opening of 300 ms', (waitMs, left) => {
    const bench = createIn('open');
    bench.circuit.learn(opening(waitMs));
    expect(bench.refusal().retryAfterMs).toBe(left);
  });

  it.each([
    ['clock', undefined, 'closed'],
    ['probe', undefined, 'half-open'],
    ['probe', false, 'closed'],
    ['clock', { probes: 1 }, 'half-open'],
  ] as const)('is left by the %s unless halfOpen (%j) says otherwise', (way, halfOpen, after) => {
    const bench = createIn('closed', { halfOpen });
    bench.circuit.learn(opening(500, way));
    bench.clock.advance(500);
    expect(bench.state).toBe(after);
  });

  it('lets the row go on where the others are', () => {
    const bench = createIn('open');
    bench.circuit.learn(opening(300, 'probe', 3));
    bench.clock.advance(300);
    bench.call('failure');
    expect(bench.events.last('OPEN').cooldownMs).toBe(300 * 2 ** 3);
  });
});

describe('what other processes have learned of a closing', () => {
  const openedByOthers = () => {
    const bench = createIn('closed');
    bench.circuit.learn(opening(500));
    return bench;
  };

  it('closes what only they have opened', () => {
    const bench = openedByOthers();
    bench.clock.advance(100);
    bench.circuit.learn('closed');
    expect(bench.events.last('CLOSE')).toEqual({
      key: 'default',
      reason: 'shared',
      openForMs: 100,
    });
    expect(bench.state).toBe('closed');
  });

  it('closes what only they have opened and nobody here has probed', () => {
    const bench = openedByOthers();
    bench.clock.advance(500);
    bench.circuit.learn('closed');
    expect(bench.state).toBe('closed');
  });

  it('closes what only they have opened, again and again', () => {
    const bench = createIn('closed');
    bench.circuit.learn(opening(0));
    bench.circuit.update();
    bench.circuit.learn(opening(500));
    bench.circuit.learn('closed');
    expect(bench.state).toBe('closed');
  });

  it('ends no row: what fails right after it opens for longer', () => {
    const bench = createIn('closed');
    bench.circuit.learn(opening(500, 'probe', 2));
    bench.circuit.learn('closed');
    bench.call('success');
    bench.call('failure');
    expect(bench.events.last('OPEN').cooldownMs).toBe(300 * 2 ** 2);
  });

  it('leaves a probe that is under way the right to close', () => {
    const bench = createIn('half-open');
    const probe = bench.admit();
    bench.circuit.learn('closed');
    probe.settle('success');
    expect(bench.events.last('CLOSE').reason).toBe('probes-passed');
  });

  it('cuts no opening short that the clock is to end', () => {
    const bench = new Bench({ errorHandler: () => true, cooldown: 300 });
    bench.trip();
    bench.circuit.learn('closed');
    expect(bench.refusal()).toMatchObject({ reason: 'first-error', retryAfterMs: 300 });
  });

  it('lets nothing probe earlier that opened for a rate limit, stated or not', () => {
    const bench = new Bench({ ...options, halfOpen: { probes: 1 } });
    const rateLimit = { waitMs: undefined, from: undefined, recovery: 'probe' as const };
    bench.admit().settle('failure', { rateLimit });
    bench.circuit.learn('closed');
    expect(bench.refusal()).toMatchObject({ reason: 'rate-limit', retryAfterMs: 300 });
  });

  it('lets what opened here probe at once, never close without', () => {
    const bench = createIn('open');
    bench.circuit.learn('closed');
    expect(bench.state).toBe('half-open');
    bench.circuit.learn('closed');
    expect(bench.state).toBe('half-open');
  });

  it('does not close what opened here and they opened again', () => {
    const bench = createIn('half-open');
    bench.circuit.learn(opening(500));
    bench.circuit.learn('closed');
    expect(bench.state).toBe('half-open');
  });

  it('does not cut a time short that the server stated here', () => {
    const bench = new Bench({ ...options, halfOpen: { probes: 1 } });
    const permit = bench.admit();
    permit.settle('failure', { rateLimit: stated });
    bench.circuit.learn('closed');
    expect(bench.refusal().retryAfterMs).toBe(5_000);
  });

  it.each([
    ['this process', (bench: Bench) => bench.trip()],
    ['only others', (bench: Bench) => bench.circuit.learn(opening(500))],
  ])('nor one that it stated when %s had opened before', (_who, open) => {
    const bench = new Bench(options);
    const permit = bench.admit();
    open(bench);
    permit.settle('failure', { rateLimit: stated });
    bench.circuit.learn('closed');
    expect(bench.refusal().retryAfterMs).toBe(5_000);
    bench.clock.advance(5_000);
    expect(bench.state).toBe('half-open');
  });

  it.each(['closed', 'forced-open', 'disabled'])('changes nothing while %s', (state) => {
    const bench = createIn(state);
    bench.circuit.learn('closed');
    expect(bench.state).toBe(state);
    expect(bench.events.told).toEqual([]);
  });
});

describe('what there is to tell other processes', () => {
  it('is what is left of an opening for a reason of its own', () => {
    const bench = createIn('open');
    bench.clock.advance(100);
    const own = { reason: 'consecutive', waitMs: 200, recovery: 'probe', row: 1 };
    expect(bench.circuit.ownOpening()).toEqual(own);
  });

  it('is nothing where others opened, or nothing is open', () => {
    const bench = createIn('closed');
    expect(bench.circuit.ownOpening()).toBeUndefined();
    bench.circuit.learn(opening(500));
    expect(bench.circuit.ownOpening()).toBeUndefined();
  });

  it.each([
    ['this process', (bench: Bench) => bench.trip()],
    ['only others', (bench: Bench) => bench.circuit.learn(opening(500))],
  ])('is a time that the server stated when %s had opened before', (_who, open) => {
    const bench = new Bench(options);
    const permit = bench.admit();
    open(bench);
    permit.settle('failure', { rateLimit: stated });
    bench.circuit.learn(opening(9_000));
    expect(bench.circuit.ownOpening()).toMatchObject({ reason: 'rate-limit', waitMs: 5_000 });
    bench.clock.advance(5_000);
    expect(bench.circuit.ownOpening()?.reason).not.toBe('rate-limit');
  });

  it('is an opening that a probe here has failed in, whoever opened before', () => {
    const bench = createIn('closed');
    bench.circuit.learn(opening(0));
    bench.call('failure');
    expect(bench.circuit.ownOpening()).toMatchObject({ reason: 'probe-failed', row: 2 });
  });
});

describe('a turn to probe', () => {
  it('keeps its slot: nobody else probes meanwhile', () => {
    const bench = createIn('half-open');
    const turn = bench.circuit.takeTurn();
    expect(bench.circuit.takeTurn()).toBeUndefined();
    expect(bench.refusal()).toMatchObject({ state: 'half-open', retryAfterMs: 0 });
    expect(bench.circuit.acquire(undefined, turn).refused).toBe(false);
  });

  it('that is denied is a refusal, and its slot is free again', () => {
    const bench = createIn('half-open');
    const turn = bench.circuit.takeTurn();
    if (turn) turn.isGranted = false;
    expect(bench.circuit.acquire(undefined, turn).refused).toBe(true);
    expect(bench.circuit.takeTurn()).toBeDefined();
    expect(bench.counts).toMatchObject({ refused: 1 });
  });

  it('that is denied after the circuit has closed is a request like any other', () => {
    const bench = createIn('half-open');
    const turn = bench.circuit.takeTurn();
    if (turn) turn.isGranted = false;
    bench.circuit.command('close');
    expect(bench.circuit.acquire(undefined, turn).refused).toBe(false);
  });

  it('is as long as the probe may take', () => {
    const bench = createIn('half-open', { halfOpen: { lease: 700 } });
    expect(bench.circuit.takeTurn()?.lease).toBe(700);
    expect(createIn('half-open').circuit.takeTurn(400)?.lease).toBe(400);
  });

  it.each(['closed', 'open', 'forced-open', 'disabled'])('there is none while %s', (state) => {
    expect(createIn(state).circuit.takeTurn()).toBeUndefined();
  });
});
