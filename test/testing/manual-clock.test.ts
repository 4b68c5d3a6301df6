import { ManualClock } from '../../src/testing/index.js';

describe('a manual clock', () => {
  it('stands where it was started until it is advanced', () => {
    const clock = new ManualClock(100);
    expect(clock.now()).toBe(100);
    clock.advance(0.5);
    expect(clock.now()).toBe(100.5);
    expect(new ManualClock().now()).toBe(0);
  });

  it('runs due timers in order, each at its own instant', () => {
    const clock = new ManualClock();
    const ran: string[] = [];
    for (const [name, ms] of [
      ['late', 30],
      ['early', 10],
      ['first of two', 20],
      ['second of two', 20],
    ] as const) {
      clock.setTimeout(() => ran.push(`${name} ${clock.now()}`), ms);
    }
    clock.advance(29);
    expect(ran).toEqual(['early 10', 'first of two 20', 'second of two 20']);
    clock.advance(1);
    expect(ran.at(-1)).toBe('late 30');
    expect(clock.now()).toBe(30);
  });

  it('runs timers that timers set, as far as it is advanced', () => {
    const clock = new ManualClock();
    const ran: number[] = [];
    const again = () => {
      ran.push(clock.now());
      clock.setTimeout(again, 10);
    };
    clock.setTimeout(again, 10);
    clock.advance(35);
    expect(ran).toEqual([10, 20, 30]);
  });

  it('runs no timer that was cleared, nor one twice', () => {
    const clock = new ManualClock();
    const fn = jest.fn();
    const handle = clock.setTimeout(fn, 10);
    clock.clearTimeout(handle);
    clock.clearTimeout(handle);
    clock.setTimeout(fn, 20);
    clock.advance(100);
    clock.advance(100);
    expect(fn).toHaveBeenCalledTimes(1);
  });

  it('takes at least 1 ms for a timer, as real ones do', () => {
    const clock = new ManualClock();
    const fn = jest.fn();
    clock.setTimeout(fn, 0);
    clock.advance(0);
    expect(fn).not.toHaveBeenCalled();
    clock.advance(1);
    expect(fn).toHaveBeenCalledTimes(1);
  });

  it('does not run backwards when a timer advances it', () => {
    const clock = new ManualClock();
    const seen: number[] = [];
    clock.setTimeout(() => clock.advance(50), 10);
    clock.setTimeout(() => seen.push(clock.now()), 20);
    clock.setTimeout(() => seen.push(clock.now()), 70);
    clock.advance(100);
    expect(seen).toEqual([20, 70]);
    expect(clock.now()).toBe(100);
  });

  it.each([-1, NaN, Infinity])('cannot be advanced by %d', (ms) => {
    expect(() => new ManualClock().advance(ms)).toThrow(
      new RangeError(`Expected \`ms\` to be a finite number, 0 or more, got ${ms}`),
    );
  });

  it('cannot be started nowhere', () => {
    expect(() => new ManualClock(NaN)).toThrow(TypeError);
  });
});
