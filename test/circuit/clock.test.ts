import { Alarm } from '../../src/circuit/alarm.js';
import { startTimer, systemClock } from '../../src/circuit/clock.js';
import { ManualClock } from '../../src/testing/index.js';

const longestLeg = 2 ** 31 - 1;

describe('a timer', () => {
  it('fires once, when the time is over', () => {
    const clock = new ManualClock();
    const fn = jest.fn();
    startTimer(clock, 300, fn);
    clock.advance(299);
    expect(fn).not.toHaveBeenCalled();
    clock.advance(1);
    clock.advance(1_000);
    expect(fn).toHaveBeenCalledTimes(1);
  });

  it('never asks for more than 2^31−1 ms at once, and still fires at the end', () => {
    const clock = new ManualClock();
    const asked = jest.spyOn(clock, 'setTimeout');
    const fn = jest.fn();
    startTimer(clock, 2 * longestLeg + 10, fn);
    clock.advance(2 * longestLeg + 9);
    expect(fn).not.toHaveBeenCalled();
    clock.advance(1);
    expect(fn).toHaveBeenCalledTimes(1);
    expect(asked.mock.calls.map(([, ms]) => ms)).toEqual([longestLeg, longestLeg, 10]);
  });

  it('goes on waiting when the clock fired it early', () => {
    const clock = new ManualClock();
    const fn = jest.fn();
    let now = 0;
    startTimer(
      {
        now: () => now,
        setTimeout: (...args) => clock.setTimeout(...args),
        clearTimeout: () => undefined,
      },
      10.5,
      fn,
    );
    now = 10.4;
    clock.advance(11);
    expect(fn).not.toHaveBeenCalled();
    now = 10.5;
    clock.advance(1);
    expect(fn).toHaveBeenCalledTimes(1);
  });

  it.each([
    [{}, 0],
    [{ keepsAlive: false }, 0],
    [{ keepsAlive: true }, 2],
  ])('keeps the process alive only where that is wanted: %p', (wish, expected) => {
    const unref = jest.fn();
    const pending: (() => void)[] = [];
    const clock = {
      now: () => 0,
      setTimeout: (fn: () => void) => {
        pending.push(fn);
        return { unref };
      },
      clearTimeout: () => undefined,
    };
    startTimer(clock, 10, () => undefined, wish);
    const [endLeg] = pending.splice(0);
    endLeg?.();
    expect(2 - unref.mock.calls.length).toBe(expected);
  });

  it('needs no handle of the clock', () => {
    const ends: (() => void)[] = [];
    const clock = { now: () => 0, setTimeout: (fn: () => void) => void ends.push(fn) };
    const fn = jest.fn();
    startTimer({ ...clock, clearTimeout: () => undefined }, 0, fn);
    for (const end of ends) end();
    expect(fn).toHaveBeenCalledTimes(1);
  });

  it('can be stopped in every leg', () => {
    const clock = new ManualClock();
    const fn = jest.fn();
    const stop = startTimer(clock, longestLeg + 10, fn);
    clock.advance(longestLeg);
    stop();
    clock.advance(longestLeg);
    expect(fn).not.toHaveBeenCalled();
  });

  it('does not keep the process alive, in any leg', () => {
    const unref = jest.fn();
    const legs: (() => void)[] = [];
    const setTimeout = (fn: () => void) => {
      legs.push(fn);
      return { unref };
    };
    startTimer({ now: () => 0, setTimeout, clearTimeout: () => undefined }, 10, () => undefined);
    expect(unref).toHaveBeenCalledTimes(1);
    legs[0]?.();
    expect(unref).toHaveBeenCalledTimes(2);
  });
});

describe('the system clock', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is monotonic time and the timers of the moment', () => {
    const fn = jest.fn();
    const start = systemClock.now();
    systemClock.setTimeout(fn, 100);
    systemClock.clearTimeout(systemClock.setTimeout(fn, 50));
    jest.setSystemTime(Date.now() + 3_600_000);
    jest.advanceTimersByTime(100);
    expect(systemClock.now() - start).toBe(100);
    expect(fn.mock.calls).toEqual([[]]);
  });
});

describe('an alarm', () => {
  function setUp(dueAt: number | undefined) {
    const clock = new ManualClock(1_000);
    const sleeper = { dueAt, update: jest.fn() };
    const alarm = new Alarm(sleeper, clock);
    alarm.set();
    return { clock, sleeper, alarm };
  }

  it('wakes its sleeper at the instant it is due', () => {
    const { clock, sleeper } = setUp(1_300);
    sleeper.update.mockImplementation(() => (sleeper.dueAt = undefined));
    clock.advance(299);
    expect(sleeper.update).not.toHaveBeenCalled();
    clock.advance(1);
    expect(sleeper.update).toHaveBeenCalledTimes(1);
    clock.advance(10_000);
    expect(sleeper.update).toHaveBeenCalledTimes(1);
  });

  it('is set again where the end was moved out meanwhile', () => {
    const { clock, sleeper } = setUp(1_300);
    sleeper.dueAt = 1_500;
    sleeper.update.mockImplementation(() => {
      if (clock.now() >= 1_500) sleeper.dueAt = undefined;
    });
    clock.advance(499);
    expect(sleeper.update).toHaveBeenCalledTimes(1);
    clock.advance(1);
    expect(sleeper.update).toHaveBeenCalledTimes(2);
  });

  it.each([undefined, Infinity])('sets no timer where its sleeper is due at %s', (dueAt) => {
    const { clock, alarm } = setUp(dueAt);
    const setTimeout = jest.spyOn(clock, 'setTimeout');
    alarm.set();
    expect(setTimeout).not.toHaveBeenCalled();
  });

  it('has one timer at a time, and none once stopped', () => {
    const { clock, sleeper, alarm } = setUp(1_300);
    alarm.set();
    alarm.stop();
    alarm.stop();
    clock.advance(1_000);
    expect(sleeper.update).not.toHaveBeenCalled();
  });
});
