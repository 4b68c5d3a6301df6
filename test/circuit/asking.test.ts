import { Circuit } from '../../src/circuit/circuit.js';
import type { Command } from '../../src/circuit/transitions.js';
import { resolveOptions } from '../../src/resolve-options.js';
import { Bench, Recorder } from './circuits.js';

const options = { consecutiveFailures: 2, cooldown: 300 } as const;

describe('why no request can be sent', () => {
  it('is nothing while the circuit is closed, or has a free slot for a probe', () => {
    const bench = new Bench(options);
    expect(bench.circuit.refuse()).toBeUndefined();
    bench.trip();
    bench.clock.advance(300);
    expect(bench.circuit.refuse()).toBeUndefined();
    expect(bench.events.transitions).toEqual(['OPEN', 'HALF_OPEN']);
    expect(bench.counts).toMatchObject({ admitted: 2, refused: 0 });
  });

  it('is that it is open, for as long as is left', () => {
    const bench = new Bench(options);
    bench.trip();
    bench.clock.advance(100);
    expect(bench.circuit.refuse()).toMatchObject({
      refused: true,
      state: 'open',
      reason: 'consecutive',
      retryAfterMs: 200,
    });
    expect(bench.counts).toMatchObject({ admitted: 2, refused: 1 });
  });

  it('is that it was opened by hand', () => {
    const bench = new Bench(options);
    bench.circuit.command('open');
    expect(bench.circuit.refuse()).toMatchObject({ state: 'forced-open', reason: 'manual' });
  });

  it('is that others probe', () => {
    const bench = new Bench(options);
    bench.trip();
    bench.clock.advance(300);
    bench.admit();
    expect(bench.circuit.refuse()).toMatchObject({ state: 'half-open', retryAfterMs: 0 });
    expect(bench.counts.refused).toBe(1);
  });

  it('is never told where the breaker only observes', () => {
    const bench = new Bench({ ...options, mode: 'observe' });
    bench.trip();
    expect(bench.state).toBe('open');
    expect(bench.circuit.refuse()).toBeUndefined();
    expect(bench.counts.refused).toBe(0);
  });
});

describe('a request that is not sent', () => {
  it('is counted as refused, and that can be taken back', () => {
    const { circuit, ...bench } = new Bench(options);
    circuit.countRefused(1);
    circuit.countRefused(1);
    circuit.countRefused(-1);
    expect(circuit.figures().counts).toMatchObject({ admitted: 0, refused: 1 });
    expect(bench.events.told).toEqual([]);
  });
});

describe('a circuit is idle', () => {
  it('when it is closed and nothing is in flight', () => {
    const bench = new Bench(options);
    expect(bench.circuit.isIdle()).toBe(true);
    const permit = bench.admit();
    expect(bench.circuit.isIdle()).toBe(false);
    permit.settle('success');
    expect(bench.circuit.isIdle()).toBe(true);
  });

  it('neither while it is open nor while it is half-open', () => {
    const bench = new Bench(options);
    bench.trip();
    expect(bench.circuit.isIdle()).toBe(false);
    bench.clock.advance(300);
    expect(bench.circuit.isIdle()).toBe(false);
  });

  it('when the clock has closed it, told or not', () => {
    const bench = new Bench({ ...options, halfOpen: false });
    bench.trip();
    bench.clock.advance(299);
    expect(bench.circuit.isIdle()).toBe(false);
    bench.clock.advance(1);
    expect(bench.circuit.isIdle()).toBe(true);
    expect(bench.events.transitions).toEqual(['OPEN']);
  });

  it.each([['open'], ['disable']] as const)('not after %s()', (command) => {
    const { circuit } = new Bench(options);
    circuit.command(command);
    expect(circuit.isIdle()).toBe(false);
  });
});

describe('a circuit that is made after a command for all', () => {
  it.each([
    ['close', 'closed'],
    ['open', 'forced-open'],
    ['disable', 'disabled'],
  ] satisfies [Command, string][])('begins as after %s(): %s', (command, state) => {
    const events = new Recorder();
    const clock = { now: () => 0, setTimeout: () => undefined, clearTimeout: () => undefined };
    const circuit = new Circuit('key', resolveOptions({}).rules, clock, events, command);
    expect(circuit.figures().state).toBe(state);
    circuit.update();
    expect(events.told).toEqual([]);
  });
});
