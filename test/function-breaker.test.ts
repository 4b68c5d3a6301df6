import axios from 'axios';
import { expectTypeOf } from 'expect-type';
import {
  FunctionBreaker,
  firstOf,
  holdUntilClosed,
  isBreakerOpenError,
  isBulkheadFullError,
  isTimeoutError,
  staticFallback,
  type CallContext,
  type FunctionBreakerOptions,
} from '../src/index.js';
import { ManualClock } from '../src/testing/index.js';
import { outcome } from './support/rig.js';
import { counts } from './support/watch.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const down = new Error('down');

/** Around a function that doubles a number, and throws where it is told to. */
function setUp(options: FunctionBreakerOptions<[number, unknown?], number> = {}) {
  const clock = new ManualClock();
  const fn = jest.fn((value: number, thrown?: unknown) =>
    thrown === undefined ? Promise.resolve(2 * value) : Promise.reject(thrown as Error),
  );
  const breaker = new FunctionBreaker(fn, { cooldown: 300, cooldownJitter: 0, clock, ...options });
  const told: string[] = [];
  for (const name of ['OPEN', 'HALF_OPEN', 'CLOSE', 'REFUSE', 'FALLBACK'] as const) {
    breaker.on(name, () => told.push(name));
  }
  for (const name of ['SUCCESS', 'FAILURE', 'IGNORE'] as const)
    breaker.on(name, () => told.push(name));
  const fail = async (times: number, thrown: unknown = down) => {
    for (let call = 0; call < times; call += 1) await outcome(breaker.call(call, thrown));
  };
  return { clock, fn, breaker, told, fail };
}

describe('a breaker around a function', () => {
  it('hands arguments and result through', async () => {
    const { breaker, fn, told } = setUp();
    await expect(breaker.call(21)).resolves.toBe(42);
    expect(fn.mock.calls).toEqual([[21]]);
    expect(told).toEqual(['SUCCESS']);
    expect(breaker.name).toBe('default');
  });

  it.each([[null], [0], [''], [false], [undefined]])('hands %p through, too', async (value) => {
    const breaker = new FunctionBreaker(() => Promise.resolve(value));
    await expect(breaker.call()).resolves.toBe(value);
  });

  it('hands on what the function throws, the very same', async () => {
    const { breaker } = setUp();
    await expect(breaker.call(1, down)).rejects.toBe(down);
    await expect(breaker.call(1, 'text')).rejects.toBe('text');
    expect(breaker.snapshot().counts).toMatchObject({ failure: 2 });
  });

  it('takes what is thrown at once for a failure as well', async () => {
    const breaker = new FunctionBreaker((): number => {
      throw down;
    });
    await expect(breaker.call()).rejects.toBe(down);
    expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, failure: 1 }));
  });

  it('opens after five failures in a row, refuses, probes and closes', async () => {
    const { breaker, fn, fail, clock, told } = setUp();
    await fail(5);
    expect([breaker.getState(), breaker.getStatus()]).toEqual(['open', true]);
    const { error } = await outcome(breaker.call(1));
    expect(isBreakerOpenError(error)).toBe(true);
    expect(error).toMatchObject({ breaker: 'default', retryAfterMs: 300, reason: 'consecutive' });
    expect(fn).toHaveBeenCalledTimes(5);
    clock.advance(300);
    expect(breaker.getState()).toBe('half-open');
    await expect(breaker.call(1)).resolves.toBe(2);
    expect(breaker.getState()).toBe('closed');
    const failures = Array.from({ length: 5 }, () => 'FAILURE');
    expect(told).toEqual([...failures, 'OPEN', 'REFUSE', 'HALF_OPEN', 'SUCCESS', 'CLOSE']);
  });

  it('opens on the share of failures among the last calls, as the rules say', async () => {
    const { breaker, fail } = setUp({ failureThreshold: 0.5, windowSize: 10 });
    for (let call = 0; call < 5; call += 1) await breaker.call(call);
    await fail(4);
    expect(breaker.snapshot()).toMatchObject({ state: 'closed', failureRate: 4 / 9 });
    await fail(1);
    expect(breaker.getState()).toBe('open');
  });

  it('can be commanded', () => {
    const { breaker, told } = setUp();
    breaker.open();
    breaker.disable();
    breaker.close();
    expect(told).toEqual(['OPEN', 'CLOSE']);
    expect(breaker.keys()).toEqual(['default']);
  });

  it('tells what a call returned, or threw, and how long it took', async () => {
    const { breaker, fail } = setUp();
    const events: unknown[] = [];
    breaker.once('SUCCESS', ({ response }) => events.push(response?.data));
    breaker.on('FAILURE', ({ error, durationMs }) => events.push(error, durationMs));
    await breaker.call(1);
    await breaker.call(2);
    await fail(1);
    expect(events).toEqual([2, down, 0]);
  });

  it('tells nobody who has been taken off', async () => {
    const { breaker } = setUp();
    const listener = jest.fn();
    breaker.on('SUCCESS', listener).off('SUCCESS', listener);
    breaker.on('SUCCESS', listener).removeListener('SUCCESS');
    await breaker.call(1);
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('what counts as a failure of a function', () => {
  it('is what errorHandler says; the first one opens where nothing else is set', async () => {
    const errorHandler = (error: unknown) => error === down;
    const { breaker, fail } = setUp({ errorHandler });
    await fail(3, new Error('excused'));
    expect(breaker.getState()).toBe('closed');
    await fail(1);
    expect(breaker.snapshot().openReason).toBe('first-error');
  });

  it('is what responseHandler says of the result', async () => {
    const { breaker } = setUp({ responseHandler: (result) => result > 10, consecutiveFailures: 1 });
    await breaker.call(1);
    expect(breaker.getState()).toBe('closed');
    await expect(breaker.call(6)).resolves.toBe(12);
    expect(breaker.getState()).toBe('open');
  });

  it.each([
    ['an AbortError', new DOMException('enough', 'AbortError')],
    ['a cancellation of axios', new axios.CanceledError()],
  ])('is not %s, and nobody is asked', async (_title, thrown) => {
    const errorHandler = jest.fn(() => true);
    const { breaker, told } = setUp({ errorHandler });
    await expect(breaker.call(1, thrown)).rejects.toBe(thrown);
    expect([told, errorHandler.mock.calls]).toEqual([['IGNORE'], []]);
    expect(breaker.snapshot().counts).toMatchObject({ ignored: 1 });
  });

  it('is not the refusal of another breaker', async () => {
    const inner = new FunctionBreaker(() => Promise.resolve(1));
    inner.open();
    const outer = new FunctionBreaker(() => inner.call());
    await outcome(outer.call());
    expect(outer.snapshot().counts).toMatchObject({ ignored: 1, failure: 0 });
  });

  it('is, of the errors of axios, what isFailure counts, and a rate limit opens at once', async () => {
    const errorOf = (status: number) =>
      Object.assign(new Error(String(status)), {
        isAxiosError: true,
        response: { status, headers: { 'retry-after': '7' } },
      });
    const { breaker, told, fail } = setUp();
    await fail(6, errorOf(404));
    expect(told).toEqual(Array.from({ length: 6 }, () => 'SUCCESS'));
    await fail(1, errorOf(429));
    expect(breaker.snapshot()).toMatchObject({ openReason: 'rate-limit', retryAfterMs: 7_000 });
  });

  it('is decided by isFailure where the handler throws, which is a fault', async () => {
    const onFault = jest.fn();
    const errorHandler = () => {
      throw new Error('handler');
    };
    const { breaker, fail } = setUp({ errorHandler, onFault });
    await fail(1);
    expect(breaker.snapshot().counts.failure).toBe(1);
    expect(onFault.mock.calls).toEqual([[new Error('handler'), 'errorHandler']]);
  });
});

describe('the deadline of a call', () => {
  const hang = (signals: AbortSignal[]) =>
    function (this: CallContext): Promise<number> {
      signals.push(this.signal);
      return new Promise((_resolve, reject) => {
        this.signal.addEventListener('abort', () => reject(this.signal.reason as Error));
      });
    };

  it('aborts the signal that the function has, and is a failure', async () => {
    const clock = new ManualClock();
    const signals: AbortSignal[] = [];
    const breaker = new FunctionBreaker(hang(signals), { requestTimeout: 100, clock });
    const call = outcome(breaker.call());
    clock.advance(99);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    clock.advance(1);
    const { error } = await call;
    expect(isTimeoutError(error)).toBe(true);
    expect(signals.map(({ reason }) => reason as unknown)).toEqual([error]);
    expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, failure: 1 }));
  });

  it('leaves the signal alone when the call has ended', async () => {
    const clock = new ManualClock();
    const signals: AbortSignal[] = [];
    const breaker = new FunctionBreaker(
      function (this: CallContext) {
        signals.push(this.signal);
        return Promise.resolve();
      },
      { requestTimeout: 100, clock },
    );
    await breaker.call();
    clock.advance(100);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it('ends a call at once that does not look at its signal', async () => {
    const clock = new ManualClock();
    const never = () => new Promise<number>(() => undefined);
    const breaker = new FunctionBreaker(never, { requestTimeout: 100, clock });
    const call = outcome(breaker.call());
    clock.advance(100);
    expect(isTimeoutError((await call).error)).toBe(true);
    expect(breaker.snapshot().inFlight).toBe(0);
  });

  it('is the lease of a probe, where there is no other', async () => {
    const clock = new ManualClock();
    const signals: AbortSignal[] = [];
    const breaker = new FunctionBreaker(hang(signals), {
      slowCallDuration: 10,
      consecutiveFailures: 1,
      cooldown: 100,
      cooldownJitter: 0,
      halfOpen: { lease: 50 },
      clock,
    });
    void outcome(breaker.call());
    clock.advance(10);
    await outcome(breaker.call());
    clock.advance(100);
    const probe = outcome(breaker.call());
    clock.advance(50);
    expect(isTimeoutError((await probe).error)).toBe(true);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    expect(breaker.snapshot().openReason).toBe('probe-expired');
  });
});

describe('the bulkhead of a function', () => {
  it('lets no more in than there are places', async () => {
    const ends: ((value: number) => void)[] = [];
    const breaker = new FunctionBreaker(
      () => new Promise<number>((resolve) => void ends.push(resolve)),
      { maxConcurrent: 1, maxQueued: 1 },
    );
    const calls = [1, 2, 3].map(() => outcome(breaker.call()));
    expect(isBulkheadFullError((await calls[2])?.error)).toBe(true);
    ends[0]?.(1);
    expect(await calls[0]).toEqual({ value: 1 });
    await settled();
    ends[1]?.(2);
    expect(await calls[1]).toEqual({ value: 2 });
    await settled();
    expect(breaker.snapshot()).toMatchObject({ inFlight: 0, queued: 0 });
  });
});

describe('the fallback of a function', () => {
  it('is a function of the arguments and the refusal', async () => {
    const fallback = jest.fn(([value]: [number, unknown?]) => -value);
    const { breaker, told } = setUp({ fallback });
    breaker.open();
    await expect(breaker.call(5)).resolves.toBe(-5);
    expect(fallback.mock.calls).toEqual([
      [[5], expect.objectContaining({ name: 'BreakerOpenError' })],
    ]);
    expect(told).toEqual(['OPEN', 'REFUSE', 'FALLBACK']);
  });

  it.each([[null], [0], [undefined]])('may be %p', async (data) => {
    const { breaker } = setUp({ fallback: staticFallback(data) });
    breaker.open();
    await expect(breaker.call(5)).resolves.toBe(data);
  });

  it('that throws gives its own error, with the refusal as cause', async () => {
    const thrown = new Error('no fallback either');
    const { breaker } = setUp({ fallback: () => Promise.reject(thrown) });
    breaker.open();
    await expect(breaker.call(5)).rejects.toBe(thrown);
    expect(isBreakerOpenError(thrown.cause)).toBe(true);
  });

  it('answers failures where that is wanted, of whatever kind', async () => {
    const { breaker, told } = setUp({
      fallback: staticFallback(-1),
      fallbackOn: 'failure',
      responseHandler: (result) => result > 10,
    });
    await expect(breaker.call(1, down)).resolves.toBe(-1);
    await expect(breaker.call(1, 'text')).resolves.toBe(-1);
    await expect(breaker.call(6)).resolves.toBe(-1);
    await expect(breaker.call(1)).resolves.toBe(2);
    expect(told.filter((name) => name === 'FALLBACK')).toHaveLength(3);
    await expect(breaker.call(1, new axios.CanceledError())).rejects.toThrow('canceled');
  });

  it('answers no failures where nobody asked for that', async () => {
    const { breaker } = setUp({ fallback: staticFallback(-1) });
    await expect(breaker.call(1, down)).rejects.toBe(down);
  });

  it('may be to wait', async () => {
    const { breaker, clock, fail } = setUp({ fallback: firstOf(holdUntilClosed(), () => -1) });
    await fail(5);
    const call = breaker.call(4);
    await settled();
    clock.advance(300);
    await expect(call).resolves.toBe(8);
  });

  it('is asked once for a call that was held, limited again, and too late', async () => {
    const limited = (seconds: number) =>
      Object.assign(new Error('limited'), {
        isAxiosError: true,
        response: { status: 429, headers: { 'retry-after': String(seconds) } },
      });
    const { breaker, clock } = setUp({
      fallback: holdUntilClosed({ maxWait: 5_000 }),
      fallbackOn: 'failure',
      maxConcurrent: 1,
    });
    await outcome(breaker.call(1, limited(1)));
    const held = outcome(breaker.call(2, limited(7)));
    await settled();
    clock.advance(1_000);
    await settled();
    clock.advance(4_000);
    expect(isBreakerOpenError((await held).error)).toBe(true);
    clock.advance(10_000);
    await settled();
    await expect(breaker.call(3)).resolves.toBe(6);
    await settled();
    expect(breaker.snapshot()).toMatchObject({ inFlight: 0, queued: 0 });
  });

  it('does not call again with a stream, which is read by then', async () => {
    const limited = Object.assign(new Error('limited'), {
      isAxiosError: true,
      response: { status: 429, headers: {} },
    });
    const clock = new ManualClock();
    const fn = jest.fn<Promise<never>, [unknown]>(() => Promise.reject(limited));
    const breaker = new FunctionBreaker(fn, { fallback: holdUntilClosed(), cooldown: 300, clock });
    breaker.open();
    const end = outcome(breaker.call({ pipe: () => undefined, once: () => undefined }));
    await settled();
    breaker.close();
    expect((await end).error).toBe(limited);
    expect(fn).toHaveBeenCalledTimes(1);
  });
});

describe('the options of a FunctionBreaker', () => {
  const fn = () => Promise.resolve(1);

  it.each([
    ['fn', undefined, undefined, 'Expected `fn` to be a function, got undefined'],
    ['options', fn, null, 'Expected `options` to be an object, got null'],
    [
      'key',
      fn,
      { key: 'origin' },
      'Unknown option `key`: the calls of a function share one circuit',
    ],
    [
      'maxKeys',
      fn,
      { maxKeys: 1 },
      'Unknown option `maxKeys`: the calls of a function share one circuit',
    ],
    [
      'timeoutMs',
      fn,
      { timeoutMs: 1 },
      'Unknown option `timeoutMs`. Did you mean `requestTimeout`?',
    ],
    [
      'cooldown',
      fn,
      { cooldown: '1' },
      'Expected `cooldown` to be a number of milliseconds, 0 or more, got "1"',
    ],
  ])('are checked: %s', (_title, given, options, message) => {
    expect(() => new FunctionBreaker(given as never, options as never)).toThrow(
      new TypeError(message),
    );
  });

  it('are typed by the function', () => {
    const breaker = new FunctionBreaker((to: string, tries?: number) =>
      Promise.resolve({ to, tries }),
    );
    type Call = (typeof breaker)['call'];
    expectTypeOf<Parameters<Call>>().toEqualTypeOf<[to: string, tries?: number | undefined]>();
    expectTypeOf<Awaited<ReturnType<Call>>>().toEqualTypeOf<{
      to: string;
      tries: number | undefined;
    }>();
    breaker.on('SUCCESS', ({ response }) => {
      expectTypeOf(response).toEqualTypeOf<
        { readonly data: { to: string; tries: number | undefined } } | undefined
      >();
    });
    expect(breaker.getStatus()).toBe(false);
  });
});
