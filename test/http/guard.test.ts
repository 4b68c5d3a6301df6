import { Circuit } from '../../src/circuit/circuit.js';
import { EventQueue, type BreakerEventName } from '../../src/events.js';
import { Faults } from '../../src/faults.js';
import type { Adapter, RequestConfig } from '../../src/http/axios-like.js';
import { withGuard, type Gate } from '../../src/http/guard.js';
import { Judge } from '../../src/http/verdict.js';
import {
  isBreakerOpenError,
  type BreakerOpenError,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import { resolveOptions } from '../../src/resolve-options.js';
import { ManualClock } from '../../src/testing/index.js';

function createGate(options: CircuitBreakerOptions = {}) {
  const { name, errorHandler, rules } = resolveOptions({ consecutiveFailures: 1, ...options });
  const events = new EventQueue();
  const told: BreakerEventName[] = [];
  events.addSink({ wants: () => true, tell: (type) => void told.push(type) });
  const circuit = new Circuit('default', rules, new ManualClock(), events);
  const judge = new Judge(errorHandler, undefined, new Faults(() => undefined));
  const resolveAdapter = (adapter: unknown) => adapter as Adapter;
  const gate: Gate & { isDetached: boolean } = {
    name,
    circuit,
    events,
    judge,
    resolveAdapter,
    isDetached: false,
  };
  return { gate, told, counts: () => circuit.figures().counts };
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
    const { gate, told, counts } = createGate({ name: 'orders' });
    gate.circuit.open();
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
    const { gate, counts } = createGate();
    gate.circuit.open();
    const config = withGuard(gate, { adapter: () => 'answer' });
    gate.isDetached = true;
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
    ["the request's own timeout, where it has one", 45_000, 45_000],
    ['30 s where it is 0, which means none', 0, 30_000],
    ['30 s where it is no number', '45000', 30_000],
    ['30 s where it has none', undefined, 30_000],
  ])('has as its deadline %s', (_title, timeout, deadline) => {
    const { gate } = createGate();
    const acquire = jest.spyOn(gate.circuit, 'acquire');
    void dispatch(withGuard(gate, { adapter: () => Promise.resolve(), timeout }));
    expect(acquire).toHaveBeenCalledWith(deadline);
  });
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
    const { gate } = createGate();
    const events: unknown[] = [];
    gate.events.addSink({
      wants: () => true,
      tell: (type, event) => void events.push([type, event]),
    });
    const response = { status: 503, config: {} };
    await dispatch(withGuard(gate, { adapter: () => Promise.resolve(response) }));
    await settle();
    expect(events[0]).toMatchObject(['FAILURE', { response, error: { response } }]);
    gate.circuit.close();
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
