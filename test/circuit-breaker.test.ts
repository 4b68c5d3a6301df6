import axios from 'axios';
import {
  CircuitBreaker,
  CircuitBreakerWithEmitter,
  type BreakerEventName,
  type BreakerTarget,
  type CircuitBreakerOptions,
} from '../src/index.js';
import { ManualClock } from '../src/testing/index.js';

/** A client whose server answers with the next of these statuses, and then 200. */
function setUp(statuses: number[] = [], options: CircuitBreakerOptions = {}) {
  const clock = new ManualClock();
  const adapter = jest.fn((config: object) => {
    const status = statuses.shift() ?? 200;
    const response = { status, statusText: '', headers: {}, data: {}, config };
    if (status < 400) return Promise.resolve(response);
    return Promise.reject(Object.assign(new Error(`status ${status}`), { response, config }));
  });
  const client = axios.create({ adapter: adapter as never });
  const settings = {
    consecutiveFailures: 1,
    cooldown: 300,
    cooldownJitter: 0,
    halfOpen: false,
  } as const;
  const onFault = jest.fn();
  const breaker = new CircuitBreakerWithEmitter(client, {
    ...settings,
    clock,
    onFault,
    ...options,
  });
  const told: string[] = [];
  for (const name of ['OPEN', 'WOULD_OPEN', 'HALF_OPEN', 'CLOSE'] as const)
    breaker.on(name, () => told.push(name));
  const get = () => client.get('/').catch((error: unknown) => error);
  return { clock, adapter, client, breaker, told, onFault, get };
}

describe('attaching', () => {
  it.each<[string, unknown]>([
    ['an instance', axios.create()],
    ['the axios module', axios],
    ['{ instance }', { instance: axios.create() }],
    ['{ instance, axios }', { instance: axios.create(), axios }],
    ['new axios.Axios()', new axios.Axios({})],
  ])('takes %s', (_title, target) => {
    const breaker = new CircuitBreaker(target as BreakerTarget);
    expect(breaker.getState()).toBe('closed');
    breaker.detach();
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['https://api.example.com', '"https://api.example.com"'],
    [{}, 'an object'],
    [{ instance: {} }, 'an object'],
    [{ interceptors: {} }, 'an object'],
  ])('refuses %p', (target, got) => {
    expect(() => new CircuitBreaker(target as BreakerTarget)).toThrow(
      new TypeError(`Expected \`http\` to be an axios instance or { instance }, got ${got}`),
    );
  });

  it('never touches the defaults of the instance', () => {
    const client = axios.create();
    const before = { ...client.defaults };
    const breaker = new CircuitBreaker(client);
    breaker.detach();
    expect(client.defaults).toEqual(before);
    expect(client.defaults.adapter).toBe(before.adapter);
  });

  it('leaves no interceptor behind where an option is bad', () => {
    const client = axios.create();
    const use = jest.spyOn(client.interceptors.request, 'use');
    expect(() => new CircuitBreaker(client, { cooldown: -1 })).toThrow(RangeError);
    expect(use).not.toHaveBeenCalled();
  });
});

describe('reading', () => {
  it('gives the state and the figures as of now, and commits nothing', async () => {
    const { breaker, clock, get, told } = setUp([503]);
    await get();
    expect([breaker.getStatus(), breaker.getState()]).toEqual([true, 'open']);
    expect(breaker.snapshot()).toEqual({
      name: 'default',
      key: 'default',
      state: 'open',
      failureRate: 0,
      slowRate: 0,
      inFlight: 0,
      queued: 0,
      retryAfterMs: 300,
      openReason: 'consecutive',
      lastError: { message: 'status 503', code: undefined, status: 503 },
      counts: {
        admitted: 1,
        refused: 0,
        success: 0,
        failure: 1,
        ignored: 0,
        slow: 0,
        late: 0,
        opened: 1,
      },
    });
    jest.spyOn(clock, 'now').mockReturnValue(300);
    expect([breaker.getStatus(), breaker.getState()]).toEqual([false, 'closed']);
    expect(told).toEqual(['OPEN']);
  });

  it('knows the one key there is, and takes any other for one that was never used', () => {
    const { breaker } = setUp();
    breaker.open();
    breaker.close();
    expect(breaker.keys()).toEqual(['default']);
    expect([breaker.getState('default'), breaker.getState('other')]).toEqual(['closed', 'closed']);
    expect(breaker.snapshot('other')).toMatchObject({ key: 'other', counts: { admitted: 0 } });
    expect(breaker.keys()).toEqual(['default']);
  });

  it('calls a forced-open circuit refusing, and no other', () => {
    const { breaker } = setUp();
    breaker.open();
    expect([breaker.getStatus(), breaker.getState()]).toEqual([true, 'forced-open']);
    breaker.disable();
    expect([breaker.getStatus(), breaker.getState()]).toEqual([false, 'disabled']);
    breaker.close();
    expect([breaker.getStatus(), breaker.getState()]).toEqual([false, 'closed']);
  });

  it('says that nothing is refused in observe mode, whatever the state', async () => {
    const { breaker, get, adapter, told } = setUp([503], { mode: 'observe' });
    await get();
    expect([breaker.getStatus(), breaker.getState()]).toEqual([false, 'open']);
    await get();
    expect(adapter).toHaveBeenCalledTimes(2);
    expect(told).toEqual(['WOULD_OPEN']);
  });
});

describe('time', () => {
  it('closes punctually without traffic, with one timer per opening and none while closed', async () => {
    const { breaker, clock, get, told } = setUp([503, 200, 503]);
    const timers = jest.spyOn(clock, 'setTimeout');
    await get();
    expect(timers).toHaveBeenCalledTimes(1);
    clock.advance(299);
    expect(told).toEqual(['OPEN']);
    clock.advance(1);
    expect(told).toEqual(['OPEN', 'CLOSE']);
    await get();
    expect(timers).toHaveBeenCalledTimes(1);
    await get();
    expect(timers).toHaveBeenCalledTimes(2);
    breaker.detach();
  });

  it('becomes half-open punctually, too', async () => {
    const { clock, get, told } = setUp([503], { halfOpen: {} });
    await get();
    clock.advance(300);
    expect(told).toEqual(['OPEN', 'HALF_OPEN']);
    await get();
    expect(told).toEqual(['OPEN', 'HALF_OPEN', 'CLOSE']);
  });
});

describe('detaching', () => {
  it('lets everything through, tells nothing more, and stops the timer', async () => {
    const { breaker, clock, get, adapter, told } = setUp([503]);
    const clear = jest.spyOn(clock, 'clearTimeout');
    await get();
    breaker.detach();
    breaker.detach();
    expect(clear).toHaveBeenCalledTimes(1);
    await get();
    expect(adapter).toHaveBeenCalledTimes(2);
    breaker.close();
    clock.advance(1_000);
    expect(told).toEqual(['OPEN']);
  });

  it('is what Symbol.dispose does', async () => {
    const { breaker, get, adapter } = setUp();
    breaker.open();
    const { dispose } = Symbol as unknown as { dispose: symbol };
    (breaker as unknown as Record<symbol, () => void>)[dispose]?.();
    await get();
    expect(adapter).toHaveBeenCalledTimes(1);
  });
});

describe('listeners', () => {
  it('are called with one payload each, until they are removed', async () => {
    const { breaker, get } = setUp([200, 503, 200]);
    const on = jest.fn();
    const once = jest.fn();
    const off = jest.fn();
    breaker.on('OPEN', on).once('REFUSE', once).on('OPEN', off).off('OPEN', off);
    for (let request = 0; request < 4; request += 1) await get();
    expect(on.mock.calls).toEqual([
      [
        {
          key: 'default',
          reason: 'consecutive',
          cooldownMs: 300,
          error: expect.any(Error) as Error,
        },
      ],
    ]);
    expect(once).toHaveBeenCalledTimes(1);
    expect(once).toHaveBeenCalledWith({ key: 'default', error: expect.any(Error) as Error });
    expect(off).not.toHaveBeenCalled();
  });

  it('can be removed before a once, by either name, and all of an event at once', async () => {
    const { breaker, get } = setUp([503]);
    const listener = jest.fn();
    breaker.once('OPEN', listener).removeListener('OPEN', listener);
    breaker
      .on('FAILURE', listener)
      .on('FAILURE', () => listener())
      .off('FAILURE');
    breaker
      .on('IGNORE', listener)
      .off('IGNORE', () => undefined)
      .off('CLOSE', listener);
    await get();
    expect(listener).not.toHaveBeenCalled();
  });

  it('are told of each exchange, the failure before the opening it causes', async () => {
    const { breaker, get } = setUp([200, 404, 503]);
    const names: string[] = [];
    for (const name of ['SUCCESS', 'FAILURE', 'IGNORE', 'OPEN', 'REFUSE'] as const) {
      breaker.on(name, () => names.push(name));
    }
    for (let request = 0; request < 4; request += 1) await get();
    expect(names).toEqual(['SUCCESS', 'SUCCESS', 'FAILURE', 'OPEN', 'REFUSE']);
  });

  it('that throw or reject reach onFault once, and change nothing', async () => {
    const { breaker, get, onFault, told } = setUp([503]);
    const boom = new Error('boom');
    const late = new Error('late');
    breaker.on('SUCCESS', () => {
      throw boom;
    });
    breaker.on('REFUSE', () => Promise.reject(late));
    const last = jest.fn();
    breaker.on('SUCCESS', last);
    breaker.disable();
    breaker.close();
    expect(await get()).toMatchObject({ message: 'status 503' });
    expect(await get()).toMatchObject({ name: 'BreakerOpenError' });
    breaker.close();
    expect(await get()).toMatchObject({ status: 200 });
    expect(await get()).toMatchObject({ status: 200 });
    expect(onFault.mock.calls).toEqual([
      [late, 'listener:REFUSE'],
      [boom, 'listener:SUCCESS'],
    ]);
    expect(last).toHaveBeenCalledTimes(2);
    expect(told).toEqual(['OPEN', 'CLOSE']);
  });

  it('may call back in: send a request, give a command, detach', async () => {
    const { breaker, get, adapter, told } = setUp([503]);
    let inner: Promise<unknown> | undefined;
    breaker.on('OPEN', () => {
      breaker.close();
      inner = get();
    });
    await get();
    expect(await inner).toMatchObject({ status: 200 });
    expect(told).toEqual(['OPEN', 'CLOSE']);
    breaker.on('SUCCESS', () => breaker.detach());
    await get();
    breaker.open();
    expect(adapter).toHaveBeenCalledTimes(3);
    expect(told).toEqual(['OPEN', 'CLOSE']);
  });

  it('must be functions, for events that there are', () => {
    const { breaker } = setUp();
    expect(() => breaker.on('open' as BreakerEventName, () => undefined)).toThrow(
      new TypeError(
        'Expected `event` to be one of OPEN, HALF_OPEN, CLOSE, WOULD_OPEN, REFUSE, SUCCESS, FAILURE, IGNORE, FALLBACK, got "open"',
      ),
    );
    expect(() => breaker.once('toString' as BreakerEventName, () => undefined)).toThrow(TypeError);
    expect(() => breaker.on('OPEN', 'log' as never)).toThrow(
      new TypeError('Expected `listener` to be a function, got "log"'),
    );
  });
});
