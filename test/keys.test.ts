import axios, { type AxiosRequestConfig } from 'axios';
import { CircuitBreakerWithEmitter, type CircuitBreakerOptions } from '../src/index.js';
import { ManualClock } from '../src/testing/index.js';

/** A client of servers by name: those whose name begins with `bad` answer 503. */
function setUp(options: CircuitBreakerOptions = {}) {
  const clock = new ManualClock();
  const hits: string[] = [];
  const adapter = (config: AxiosRequestConfig) => {
    const host = new URL(String(config.url)).host;
    hits.push(host);
    const response = { status: host.startsWith('bad') ? 503 : 200, headers: {}, data: '', config };
    return Promise.resolve(response);
  };
  const client = axios.create({ adapter: adapter as never });
  const onFault = jest.fn();
  const breaker = new CircuitBreakerWithEmitter(client, {
    key: 'origin',
    consecutiveFailures: 1,
    cooldown: 300,
    cooldownJitter: 0,
    clock,
    onFault,
    ...options,
  });
  const told: string[] = [];
  for (const name of ['OPEN', 'HALF_OPEN', 'CLOSE'] as const) {
    breaker.on(name, ({ key }) => told.push(`${name} ${key}`));
  }
  const get = async (host: string, config: AxiosRequestConfig = {}) => {
    await client.get(`http://${host}/`, config).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, hits, client, onFault, breaker, told, get };
}

describe('a breaker with keys', () => {
  it('stops the bad host and no other', async () => {
    const { hits, breaker, told, get } = setUp();
    for (const host of ['bad', 'good', 'bad', 'good']) await get(host);
    expect(hits).toEqual(['bad', 'good', 'good']);
    expect(told).toEqual(['OPEN http://bad']);
    expect([breaker.getState('http://bad'), breaker.getState('http://good')]).toEqual([
      'open',
      'closed',
    ]);
    expect([breaker.getStatus('http://bad'), breaker.getStatus('http://good')]).toEqual([
      true,
      false,
    ]);
  });

  it('wakes each circuit at its own time', async () => {
    const { clock, told, get } = setUp();
    await get('bad-1');
    clock.advance(200);
    await get('bad-2');
    clock.advance(100);
    expect(told.slice(2)).toEqual(['HALF_OPEN http://bad-1']);
    clock.advance(200);
    expect(told.slice(3)).toEqual(['HALF_OPEN http://bad-2']);
  });

  it('has no circuit before there is a request, and reading makes none', async () => {
    const { breaker, get } = setUp();
    expect([breaker.keys(), breaker.getState(), breaker.getState('http://a')]).toEqual([
      [],
      'closed',
      'closed',
    ]);
    expect(breaker.snapshot()).toMatchObject({ key: 'default', counts: { admitted: 0 } });
    await get('good');
    expect(breaker.keys()).toEqual(['http://good']);
  });

  it('reads all circuits together without a key', async () => {
    const { breaker, get } = setUp({ consecutiveFailures: 2 });
    await get('good');
    await get('bad');
    expect(breaker.snapshot()).toMatchObject({
      key: '*',
      state: 'closed',
      failureRate: 0.5,
      retryAfterMs: 0,
    });
    await get('bad');
    expect([breaker.getStatus(), breaker.getState()]).toEqual([true, 'open']);
    await get('bad');
    expect(breaker.snapshot()).toMatchObject({
      state: 'open',
      openReason: 'consecutive',
      failureRate: 0,
      slowRate: 0,
      inFlight: 0,
      queued: 0,
      retryAfterMs: 0,
      lastError: { status: 503 },
      counts: {
        admitted: 3,
        success: 1,
        failure: 2,
        refused: 1,
        opened: 1,
        ignored: 0,
        slow: 0,
        late: 0,
      },
    });
  });

  it('names the state that weighs most', async () => {
    const { breaker, clock, get } = setUp();
    await get('good');
    breaker.disable('http://good');
    expect(breaker.getState()).toBe('disabled');
    await get('bad');
    clock.advance(300);
    expect(breaker.getState()).toBe('half-open');
    await get('bad-too');
    expect(breaker.getState()).toBe('open');
    breaker.open('http://third');
    expect(breaker.getState()).toBe('forced-open');
  });

  it('takes a command without a key for all circuits, present and future', async () => {
    const { breaker, hits, get } = setUp();
    await get('good');
    breaker.open();
    expect(breaker.getStatus()).toBe(true);
    await get('good');
    await get('new');
    expect(hits).toEqual(['good']);
    expect(breaker.getState('http://never-used')).toBe('forced-open');
    breaker.close();
    await get('new');
    await get('newer');
    expect(hits).toEqual(['good', 'new', 'newer']);
  });

  it('holds a command for all before there is any circuit', async () => {
    const { breaker, hits, get } = setUp();
    breaker.open();
    expect([breaker.getStatus(), breaker.getState()]).toEqual([true, 'forced-open']);
    await get('good');
    expect(hits).toEqual([]);
  });

  it('takes a command with a key for that circuit alone', async () => {
    const { breaker, hits, get } = setUp();
    breaker.open('http://one');
    await get('one');
    await get('other');
    expect(hits).toEqual(['other']);
    breaker.close('http://one');
    await get('one');
    expect(hits).toEqual(['other', 'one']);
  });

  it('uses the key that a request brings itself', async () => {
    const { breaker, hits, get } = setUp();
    await get('bad', { circuitBreaker: { key: 'mine' } });
    await get('good', { circuitBreaker: { key: 'mine' } });
    await get('good');
    expect(hits).toEqual(['bad', 'good']);
    expect(breaker.keys()).toEqual(['mine', 'http://good']);
  });

  it('lets a request of a breaker without keys bring one, too', async () => {
    const { breaker, hits, get } = setUp({ key: undefined });
    await get('bad', { circuitBreaker: { key: 'mine' } });
    await get('good');
    expect(hits).toEqual(['bad', 'good']);
    expect(breaker.keys().sort()).toEqual(['default', 'mine']);
  });

  it('goes on with one circuit where the key function throws', async () => {
    const key = () => {
      throw new Error('boom');
    };
    const { breaker, hits, onFault, get } = setUp({ key });
    await get('good');
    await get('good');
    expect(hits).toHaveLength(2);
    expect(breaker.keys()).toEqual(['default']);
    expect(onFault).toHaveBeenCalledTimes(1);
  });
});

describe('the number of circuits', () => {
  it('is bounded: the least recently used one that is closed and idle goes', async () => {
    const { breaker, get } = setUp({ maxKeys: 3 });
    for (const host of ['a', 'b', 'c', 'a', 'd']) await get(host);
    expect(breaker.keys()).toEqual(['http://c', 'http://a', 'http://d']);
  });

  it('is bounded by no circuit that is open, busy or waited for', async () => {
    const { breaker, client, get, onFault } = setUp({ maxKeys: 3 });
    await get('bad');
    breaker.open('forced');
    const hanging = new AbortController();
    const adapter = () => new Promise(() => undefined);
    void client.get('http://busy/', { adapter: adapter as never, signal: hanging.signal });
    await get('new');
    expect(breaker.keys()).toEqual(['http://bad', 'forced', 'http://busy', '(overflow)']);
    await get('newer');
    expect(breaker.snapshot('(overflow)').counts.success).toBe(2);
    expect(onFault.mock.calls).toEqual([
      [new RangeError('None of 3 circuits can be evicted: further keys share one'), 'maxKeys'],
    ]);
    breaker.close('forced');
    await get('newest');
    expect(breaker.keys()).toContain('http://newest');
  });

  it('stays bounded over thousands of random hosts, and open ones stay', async () => {
    const { breaker, get } = setUp({ maxKeys: 100 });
    for (let host = 0; host < 20; host += 1) await get(`bad-${host}`);
    for (let host = 0; host < 2_000; host += 1) await get(`host-${host}`);
    expect(breaker.keys()).toHaveLength(100);
    const open = breaker.keys().filter((key) => breaker.getState(key) === 'open');
    expect(open).toHaveLength(20);
  });

  it('does not lose what a key was told in spite of a command for all', async () => {
    const { breaker, hits, get } = setUp({ maxKeys: 1 });
    breaker.open();
    breaker.close('http://a');
    for (const host of ['a', 'b', 'a']) await get(host);
    expect(hits).toEqual(['a', 'a']);
  });

  it('makes a circuit for a command to a key, though others share one', async () => {
    const { breaker, hits, get } = setUp({ maxKeys: 1 });
    breaker.open('http://a');
    await get('shared');
    breaker.open('http://b');
    await get('b');
    await get('shared');
    expect(hits).toEqual(['shared', 'shared']);
    expect(breaker.getState('http://b')).toBe('forced-open');
    breaker.close('http://never-used');
    expect(breaker.keys()).toEqual(['http://a', 'http://b', '(overflow)']);
  });

  it('tells the CLOSE of a circuit that was due when it had to go', async () => {
    const { breaker, clock, told, get } = setUp({ maxKeys: 1, halfOpen: false });
    await get('bad');
    jest.spyOn(clock, 'now').mockReturnValue(300);
    await get('good');
    expect(told).toEqual(['OPEN http://bad', 'CLOSE http://bad']);
    expect(breaker.keys()).toEqual(['http://good']);
  });

  it('stops the timers of all circuits when the breaker is detached', async () => {
    const { breaker, clock, told, get } = setUp();
    await get('bad-1');
    await get('bad-2');
    const clear = jest.spyOn(clock, 'clearTimeout');
    breaker.detach();
    expect(clear).toHaveBeenCalledTimes(2);
    clock.advance(1_000);
    expect(told).toHaveLength(2);
  });
});
