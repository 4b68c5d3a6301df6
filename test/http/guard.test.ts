import { Circuit } from '../../src/circuit/circuit.js';
import { EventQueue, type BreakerEventName } from '../../src/events.js';
import { asFallback } from '../../src/fallback/first-of.js';
import { Faults } from '../../src/faults.js';
import type { Adapter, RequestConfig } from '../../src/http/axios-like.js';
import { withGuard, type GuardGate } from '../../src/http/guard.js';
import { Bulkhead } from '../../src/http/bulkhead.js';
import { Judge } from '../../src/http/verdict.js';
import {
  isBreakerOpenError,
  isTimeoutError,
  type BreakerOpenError,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import { resolveOptions } from '../../src/resolve-options.js';
import { ManualClock } from '../../src/testing/index.js';

/** A gate of one circuit. */
function createGate(options: CircuitBreakerOptions = {}) {
  const resolved = resolveOptions({ consecutiveFailures: 1, ...options });
  const { name, errorHandler, rules, bulkhead, requestTimeout } = resolved;
  const clock = new ManualClock();
  const onFault = jest.fn();
  const faults = new Faults(onFault);
  const events = new EventQueue();
  const told: BreakerEventName[] = [];
  events.addSink({ wants: () => true, tell: (type) => void told.push(type) });
  const circuit = new Circuit('default', rules, clock, events);
  const judge = new Judge(errorHandler, undefined, undefined, faults);
  const resolveAdapter = (adapter: unknown) => adapter as Adapter;
  const compartment = { circuit, returning: 0, bulkhead: new Bulkhead(bulkhead, clock) };
  const gate: GuardGate = {
    name,
    find: () => compartment,
    clock,
    events,
    faults,
    requestTimeout,
    seat: undefined,
    observes: rules.observe,
    outermost: new WeakMap<object, unknown>(),
    fallback: undefined,
    toSubstitute: asFallback,
    failed: undefined,
    judge,
    resolveAdapter,
    defaultAdapter: () => undefined,
  };
  return { gate, ...compartment, told, clock, onFault, counts: () => circuit.figures().counts };
}

/** What axios does with a config's adapter. */
const dispatch = (config: RequestConfig): Promise<unknown> =>
  (config.adapter as (config: RequestConfig) => Promise<unknown>)(config);

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a guarded request', () => {
  it('reaches the adapter with the config as it was, and hands its answer back as the same promise', async () => {
    const { gate, counts } = createGate();
    const answer = Promise.resolve({ status: 200 });
    const adapter = jest.fn(() => answer);
    const config: RequestConfig = { adapter };
    expect(withGuard(gate, config)).toBe(config);
    expect(config.adapter).not.toBe(adapter);
    expect(dispatch(config)).toBe(answer);
    expect(adapter).toHaveBeenCalledWith(config);
    expect(config.adapter).toBe(adapter);
    await settle();
    expect(counts()).toMatchObject({ admitted: 1, success: 1 });
  });

  it('holds no permit before it is at the wire', () => {
    const { gate, counts } = createGate();
    withGuard(gate, { adapter: () => undefined });
    expect(counts().admitted).toBe(0);
  });

  it('is refused with what the caller needs to know, and its adapter is not called', async () => {
    const { gate, circuit, told, counts } = createGate({ name: 'orders' });
    circuit.command('open');
    const adapter = jest.fn();
    const config: RequestConfig = { adapter, url: '/x', method: 'get' };
    const error: unknown = await dispatch(withGuard(gate, config)).catch(
      (reason: unknown) => reason,
    );
    expect(isBreakerOpenError(error)).toBe(true);
    expect(error).toMatchObject({
      message: 'Circuit breaker is open',
      breaker: 'orders',
      key: 'default',
      state: 'forced-open',
      reason: 'manual',
      retryAfterMs: Infinity,
    });
    expect((error as BreakerOpenError).config).toEqual({
      ...config,
      'axios-retry': { retries: 0 },
    });
    expect((error as Error).stack).toBe('BreakerOpenError: Circuit breaker is open');
    expect(adapter).not.toHaveBeenCalled();
    expect(told).toEqual(['OPEN', 'REFUSE']);
    expect(counts()).toMatchObject({ admitted: 0, refused: 1 });
  });

  it('counts nothing where the adapter cannot be found', async () => {
    const { gate, counts } = createGate();
    const missing = new Error('no such adapter');
    const broken = {
      ...gate,
      resolveAdapter: () => {
        throw missing;
      },
    };
    await expect(dispatch(withGuard(broken, {}))).rejects.toBe(missing);
    expect(counts().admitted).toBe(0);
  });

  it('ignores an adapter that throws, and rejects with what it threw', async () => {
    const { gate, counts } = createGate();
    const thrown = new Error('no adapter');
    const adapter = () => {
      throw thrown;
    };
    await expect(dispatch(withGuard(gate, { adapter }))).rejects.toBe(thrown);
    expect(counts()).toMatchObject({ admitted: 1, ignored: 1 });
  });

  it('passes through once its breaker is detached', async () => {
    const { gate, circuit, counts } = createGate();
    circuit.command('open');
    const config = withGuard(gate, { adapter: () => 'answer' });
    gate.events.close();
    await expect(Promise.resolve(dispatch(config))).resolves.toBe('answer');
    expect(counts()).toMatchObject({ admitted: 0, refused: 0 });
  });

  it('bypasses the breaker with circuitBreaker: false', () => {
    const { gate } = createGate();
    const adapter = () => undefined;
    expect(withGuard(gate, { adapter, circuitBreaker: false }).adapter).toBe(adapter);
  });

  it('is copied where the config is frozen', () => {
    const { gate } = createGate();
    const adapter = jest.fn(() => Promise.resolve());
    const frozen = Object.freeze({ adapter, url: '/x' });
    const config = withGuard(gate, frozen);
    expect(config).not.toBe(frozen);
    expect(config).toMatchObject({ url: '/x' });
    expect(frozen.adapter).toBe(adapter);
    void dispatch(Object.freeze(config));
    expect(adapter).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['its own requestTimeout', { requestTimeout: 7 }, 8, 9, 7],
    ["the breaker's requestTimeout", undefined, 8, 9, 8],
    ['its own timeout', undefined, undefined, 9, 9],
    [
      'its own timeout, where requestTimeout says that there is none',
      { requestTimeout: Infinity },
      8,
      9,
      9,
    ],
    ['none where its timeout is 0, as axios has it', undefined, undefined, 0, undefined],
    ['none where its timeout is endless', undefined, undefined, Infinity, undefined],
    ['none where its timeout is no number', undefined, undefined, '9', undefined],
    ['none where it has no timeout', undefined, undefined, undefined, undefined],
  ])('has as its deadline %s', (_title, circuitBreaker, requestTimeout, timeout, deadline) => {
    const { gate, circuit } = createGate({ requestTimeout });
    const acquire = jest.spyOn(circuit, 'acquire');
    void dispatch(withGuard(gate, { adapter: () => Promise.resolve(), timeout, circuitBreaker }));
    expect(acquire.mock.calls.map(([given]) => given)).toEqual([deadline]);
  });

  it.each([
    [
      { requestTimout: 5 },
      'Unknown option `circuitBreaker.requestTimout`. Did you mean `circuitBreaker.requestTimeout`?',
    ],
    [
      { requestTimeout: 0 },
      'Expected `circuitBreaker.requestTimeout` to be a number of milliseconds above 0, got 0',
    ],
    [true, 'Expected `circuitBreaker` to be false or an object, got true'],
    [null, 'Expected `circuitBreaker` to be false or an object, got null'],
  ])(
    'reports bad options of its own, %j, and goes on without them',
    async (circuitBreaker, message) => {
      const { gate, onFault, counts } = createGate();
      const config = { adapter: () => Promise.resolve({ status: 200 }), circuitBreaker };
      await dispatch(withGuard(gate, config));
      await settle();
      expect(onFault).toHaveBeenCalledWith(expect.objectContaining({ message }), 'circuitBreaker');
      expect(counts().success).toBe(1);
    },
  );
});

describe('a config that is sent again', () => {
  it('with a guard still on it gets a new one in its place', async () => {
    const { gate, counts } = createGate();
    const adapter = jest.fn(() => Promise.resolve({ status: 200 }));
    const again = withGuard(gate, { ...withGuard(gate, { adapter }) });
    await dispatch(again);
    await settle();
    expect(again.adapter).toBe(adapter);
    expect(counts().admitted).toBe(1);
  });

  it("loses its own guards under another breaker's, and keeps the other's", async () => {
    const one = createGate();
    const other = createGate();
    const adapter = jest.fn(() => Promise.resolve({ status: 200 }));
    const both = withGuard(other.gate, withGuard(one.gate, { adapter }));
    const again = withGuard(other.gate, withGuard(one.gate, { ...both }));
    await dispatch(again);
    await settle();
    expect(again.adapter).toBe(adapter);
    expect([one.counts().admitted, other.counts().admitted]).toEqual([1, 1]);
  });

  it('is left alone by circuitBreaker: false but for its own guard', () => {
    const { gate } = createGate();
    const adapter = () => undefined;
    const guarded = withGuard(gate, { adapter });
    expect(withGuard(gate, { ...guarded, circuitBreaker: false }).adapter).toBe(adapter);
  });

  it('keeps an adapter that somebody put around the guard', () => {
    const { gate } = createGate();
    const adapter = jest.fn(() => Promise.resolve({ status: 200 }));
    const config = withGuard(gate, { adapter });
    const guard = config.adapter as Adapter;
    const wrapper = (given: RequestConfig) => guard(given);
    config.adapter = wrapper;
    void dispatch(config);
    expect(adapter).toHaveBeenCalledTimes(1);
    expect(config.adapter).toBe(wrapper);
  });
});

describe('judging', () => {
  it('comes after what axios does in the same tick, and before all that follows', async () => {
    const { gate } = createGate();
    const order: string[] = [];
    const judge = jest.spyOn(gate.judge, 'judgeResponse').mockImplementation(() => {
      order.push('judge');
      return { verdict: 'success' };
    });
    const config = withGuard(gate, { adapter: () => Promise.resolve({ status: 200 }) });
    await dispatch(config)
      .then(() => order.push('transform'))
      .then(() => order.push('interceptor'));
    expect(order).toEqual(['transform', 'judge', 'interceptor']);
    judge.mockRestore();
  });

  it('hands the error, or the response, to the events', async () => {
    const { gate, circuit } = createGate();
    const events: unknown[] = [];
    gate.events.addSink({
      wants: () => true,
      tell: (type, event) => void events.push([type, event]),
    });
    const response = { status: 503, config: {} };
    await dispatch(withGuard(gate, { adapter: () => Promise.resolve(response) }));
    await settle();
    expect(events[0]).toMatchObject(['FAILURE', { response, error: { response } }]);
    circuit.command('close');
    const error = new Error('no');
    await dispatch(withGuard(gate, { adapter: () => Promise.reject(error) })).catch(
      () => undefined,
    );
    await settle();
    expect(events).toContainEqual([
      'FAILURE',
      expect.objectContaining({ error, response: undefined }),
    ]);
  });
});

describe('a deadline', () => {
  const hangs = () => new Promise(() => undefined);
  const reject = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

  it('ends the exchange with a TimeoutError at once, though the adapter hears nothing', async () => {
    const { gate, clock, counts } = createGate({ name: 'orders', requestTimeout: 100 });
    const ended = reject(dispatch(withGuard(gate, { adapter: hangs, url: '/x' })));
    clock.advance(100);
    const error = await ended;
    expect(isTimeoutError(error)).toBe(true);
    expect(error).toMatchObject({
      message: 'timeout of 100ms exceeded',
      breaker: 'orders',
      key: 'default',
      config: { url: '/x' },
    });
    await settle();
    expect(counts()).toMatchObject({ failure: 1, opened: 1 });
  });

  it('is no first error where errorHandler does not accept it, but a failure all the same', async () => {
    const only429 = { consecutiveFailures: undefined, requestTimeout: 100 };
    for (const [accepts, state] of [
      [false, 'closed'],
      [true, 'open'],
    ] as const) {
      const { gate, circuit, clock, counts } = createGate({
        ...only429,
        errorHandler: () => accepts,
      });
      const ended = reject(dispatch(withGuard(gate, { adapter: hangs })));
      clock.advance(100);
      await ended;
      await settle();
      expect(counts().failure).toBe(1);
      expect(circuit.figures().state).toBe(state);
    }
  });

  it('fails a probe', async () => {
    const { gate, circuit, clock } = createGate({
      cooldown: 300,
      cooldownJitter: 0,
      requestTimeout: 100,
      errorHandler: () => false,
    });
    circuit.command('open');
    circuit.command('close');
    const failing = reject(dispatch(withGuard(gate, { adapter: hangs })));
    clock.advance(100);
    await failing;
    await settle();
    clock.advance(300);
    const probe = reject(dispatch(withGuard(gate, { adapter: hangs })));
    expect(circuit.figures().state).toBe('half-open');
    clock.advance(100);
    await probe;
    await settle();
    expect(circuit.figures()).toMatchObject({ state: 'open', openReason: 'probe-failed' });
  });

  it('of a probe is its lease, where it has no other', async () => {
    const { gate, circuit, clock } = createGate({
      cooldown: 300,
      cooldownJitter: 0,
      halfOpen: { lease: 50 },
    });
    await reject(dispatch(withGuard(gate, { adapter: () => Promise.reject(new Error('no')) })));
    await settle();
    clock.advance(300);
    const probe = reject(dispatch(withGuard(gate, { adapter: hangs })));
    clock.advance(50);
    expect(await probe).toMatchObject({ message: 'timeout of 50ms exceeded' });
    await settle();
    expect(circuit.figures()).toMatchObject({
      state: 'open',
      openReason: 'probe-expired',
      inFlight: 0,
    });
  });

  it('is not enforced by a lease in observe mode', async () => {
    const { gate, circuit, clock } = createGate({
      mode: 'observe',
      cooldown: 300,
      cooldownJitter: 0,
      halfOpen: { lease: 50 },
    });
    await reject(dispatch(withGuard(gate, { adapter: () => Promise.reject(new Error('no')) })));
    await settle();
    clock.advance(300);
    const timers = jest.spyOn(clock, 'setTimeout');
    void dispatch(withGuard(gate, { adapter: hangs }));
    expect(circuit.figures().state).toBe('half-open');
    expect(timers).not.toHaveBeenCalled();
  });

  it('of another breaker inside is an error like any other', async () => {
    const inner = createGate({ requestTimeout: 100 });
    const outer = createGate({ errorHandler: () => false });
    const config = withGuard(outer.gate, withGuard(inner.gate, { adapter: hangs }));
    const ended = reject(dispatch(config));
    inner.clock.advance(100);
    await ended;
    await settle();
    expect(outer.counts()).toMatchObject({ ignored: 1, failure: 0 });
  });

  it('is not mistaken for it by an adapter that rejects with undefined', async () => {
    const { gate, counts } = createGate({ requestTimeout: 100, errorHandler: () => false });
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what some adapters do
    await reject(dispatch(withGuard(gate, { adapter: () => Promise.reject() })));
    await settle();
    expect(counts()).toMatchObject({ ignored: 1, failure: 0 });
  });

  it('ignores an adapter that throws, and leaves the config and the signal as they were', async () => {
    const { gate, counts } = createGate({ requestTimeout: 100 });
    const thrown = new Error('no adapter');
    const adapter = () => {
      throw thrown;
    };
    const { signal } = new AbortController();
    const remove = jest.spyOn(signal, 'removeEventListener');
    const config = withGuard(gate, { adapter, signal });
    await expect(dispatch(config)).rejects.toBe(thrown);
    expect(config.signal).toBe(signal);
    expect(remove).toHaveBeenCalledTimes(1);
    expect(counts()).toMatchObject({ ignored: 1 });
  });
});
