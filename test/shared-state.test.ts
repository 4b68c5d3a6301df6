import axios, { type AxiosRequestConfig } from 'axios';
import {
  CircuitBreakerWithEmitter,
  FunctionBreaker,
  holdUntilClosed,
  type CircuitBreakerOptions,
  type SharedState,
} from '../src/index.js';
import { ManualClock } from '../src/testing/index.js';
import { outcome } from './support/rig.js';

type Seat = ReturnType<SharedState['join']>;
type Member = Parameters<SharedState['join']>[0];
type Answer = Awaited<ReturnType<Seat['lease']>>;

/** What is shared, in the hands of the test: it answers when it is told to. */
function createShared() {
  const members: Member[] = [];
  const asked: {
    key: string;
    ms: number;
    answer: (answer: Answer) => Promise<void>;
    fail: () => Promise<void>;
  }[] = [];
  const made: string[] = [];
  const left = jest.fn();
  const fleet = { open: () => Promise.resolve(), close: () => Promise.resolve() };
  const shared: SharedState = {
    join: (member) => {
      members.push(member);
      return {
        fleet,
        made: (key) => made.push(key),
        lease: (key, ms) =>
          new Promise((resolve, reject) => {
            const fail = async () => {
              reject(new Error('lost'));
              await settled();
            };
            const answer = async (given: Answer) => {
              resolve(given);
              await settled();
            };
            asked.push({ key, ms, answer, fail });
          }),
        leave: left,
      };
    },
  };
  return { shared, members, asked, made, left, fleet };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Opens at the first failure, for 300 ms. */
function setUp(options: CircuitBreakerOptions = {}) {
  const state = createShared();
  const clock = new ManualClock();
  const sent: string[] = [];
  const server = { status: 503 };
  const adapter = (config: AxiosRequestConfig) => {
    sent.push(String(config.url));
    const response = { status: server.status, headers: {}, statusText: '', data: '', config };
    if (server.status < 400) return Promise.resolve(response);
    return Promise.reject(Object.assign(new Error('failed'), { config, response }));
  };
  const client = axios.create({ adapter: adapter as never });
  const breaker = new CircuitBreakerWithEmitter(client, {
    name: 'orders',
    shared: state.shared,
    consecutiveFailures: 1,
    cooldown: 300,
    cooldownJitter: 0,
    clock,
    ...options,
  });
  const told: string[] = [];
  for (const name of ['OPEN', 'HALF_OPEN', 'CLOSE', 'REFUSE'] as const) {
    breaker.on(name, () => told.push(name));
  }
  const get = (url: string, config?: AxiosRequestConfig) => outcome(client.get(url, config));
  const toHalfOpen = async () => {
    await get('/opens');
    clock.advance(300);
    told.length = sent.length = 0;
  };
  const [member] = state.members;
  return { ...state, clock, client, breaker, told, sent, server, get, toHalfOpen, member };
}

const lease = () => ({ end: jest.fn() });

describe('a breaker that shares', () => {
  it('asks for the right to probe before it probes, and for nothing else', async () => {
    const { asked, get, toHalfOpen, sent } = setUp();
    await toHalfOpen();
    const probe = get('/probe', { timeout: 400 });
    await settled();
    expect(sent).toEqual([]);
    expect(asked).toMatchObject([{ key: 'default', ms: 400 }]);
    await asked[0]?.answer(lease());
    await probe;
    expect(sent).toEqual(['/probe']);
  });

  it.each([0, 1, 2, 3, 4])(
    'asks also where the cooldown ends after %i readings of the clock on the way of a request',
    async (readings) => {
      let early = Infinity;
      const timers = new ManualClock();
      const clock = {
        now: () => (early-- > 0 ? 0 : 300),
        setTimeout: (fn: () => void, ms: number) => timers.setTimeout(fn, ms),
        clearTimeout: (handle: unknown) => timers.clearTimeout(handle),
      };
      const { get, sent, asked } = setUp({ clock });
      await get('/opens');
      early = readings;
      for (const url of ['/first', '/second', '/third']) {
        void get(url);
        await settled();
      }
      expect(sent).toEqual(['/opens']);
      expect(asked).toHaveLength(1);
    },
  );

  it('refuses the others at once while it asks', async () => {
    const { asked, get, toHalfOpen, told } = setUp();
    await toHalfOpen();
    void get('/probe');
    const { error } = await get('/other');
    expect(error).toMatchObject({ state: 'half-open', retryAfterMs: 0 });
    expect(asked).toHaveLength(1);
    expect(told).toEqual(['REFUSE']);
    await asked[0]?.answer('denied');
  });

  it('keeps the circuit of one that asks, whatever is heard of it meanwhile', async () => {
    const key = ({ url = '' }: AxiosRequestConfig) => url;
    const { asked, get, breaker, server, clock, member } = setUp({ key, maxKeys: 1 });
    server.status = 200;
    await get('/a');
    member?.learn('/a', { waitMs: 300, recovery: 'probe', row: 1 });
    clock.advance(300);
    void get('/a');
    await settled();
    member?.learn('/a', 'closed');
    await get('/b');
    expect(breaker.keys()).toContain('/a');
    server.status = 503;
    await asked[0]?.answer('unknown');
    expect(breaker.getState('/a')).toBe('open');
    expect(breaker.snapshot('/a').counts).toMatchObject({ admitted: 2, success: 1, failure: 1 });
  });

  it('refuses where another process probes', async () => {
    const { asked, get, toHalfOpen, sent, breaker } = setUp({ maxConcurrent: 1 });
    await toHalfOpen();
    const refused = get('/probe');
    await settled();
    await asked[0]?.answer('denied');
    expect((await refused).error).toMatchObject({ state: 'half-open', retryAfterMs: 0 });
    expect(sent).toEqual([]);
    expect(breaker.snapshot()).toMatchObject({ inFlight: 0, counts: { admitted: 1, refused: 1 } });
    // Neither the slot nor the place is held.
    void get('/probe');
    await settled();
    expect(asked).toHaveLength(2);
  });

  it('probes alone where nobody can say', async () => {
    const { asked, get, toHalfOpen, server, breaker } = setUp();
    await toHalfOpen();
    server.status = 200;
    const probe = get('/probe');
    await settled();
    await asked[0]?.answer('unknown');
    expect((await probe).value).toMatchObject({ status: 200 });
    expect(breaker.getState()).toBe('closed');
  });

  it('probes alone where asking fails, and holds nothing back', async () => {
    const { get, toHalfOpen, server, breaker, asked } = setUp({ maxConcurrent: 1 });
    await toHalfOpen();
    server.status = 200;
    const probe = get('/probe');
    await settled();
    await asked[0]?.fail();
    expect((await probe).value).toMatchObject({ status: 200 });
    expect(breaker.snapshot()).toMatchObject({ state: 'closed', inFlight: 0 });
  });

  it.each([
    [200, 'closed'],
    [503, 'open'],
  ])('ends the lease once its probe has met a %i, and is %s by then', async (status, state) => {
    const { asked, get, toHalfOpen, server, breaker } = setUp();
    await toHalfOpen();
    server.status = status;
    const states: string[] = [];
    const end = jest.fn(() => states.push(breaker.getState()));
    const probe = get('/probe');
    await settled();
    await asked[0]?.answer({ end });
    await probe;
    expect(end.mock.calls).toEqual([[true]]);
    expect(states).toEqual([state]);
  });

  it('ends the lease as one that counts for nothing where the era is over', async () => {
    const { asked, get, toHalfOpen, breaker, sent } = setUp();
    await toHalfOpen();
    const given = lease();
    const probe = get('/probe');
    await settled();
    breaker.open();
    await asked[0]?.answer(given);
    await probe;
    expect(given.end.mock.calls).toEqual([[false]]);
    expect(sent).toEqual([]);
  });

  it('lets a held request be the probe, and ask again when it is woken', async () => {
    const { asked, get, toHalfOpen, server, member } = setUp({ fallback: holdUntilClosed() });
    void get('/opens');
    await toHalfOpen();
    server.status = 200;
    const held = get('/held');
    await settled();
    await asked[0]?.answer('denied');
    await settled();
    member?.wake('default');
    await settled();
    expect(asked).toHaveLength(2);
    await asked[1]?.answer(lease());
    expect((await held).value).toMatchObject({ status: 200 });
  });

  it('gives its place to the next held request when it is cancelled while it asks', async () => {
    const { asked, get, toHalfOpen, sent, server, member } = setUp({ fallback: holdUntilClosed() });
    void get('/opens');
    await toHalfOpen();
    server.status = 200;
    const caller = new AbortController();
    const first = get('/first', { signal: caller.signal });
    await settled();
    await asked[0]?.answer('denied');
    const second = get('/second');
    await settled();
    expect(asked).toHaveLength(2);
    caller.abort();
    member?.wake('default');
    await asked[1]?.answer('denied');
    expect(axios.isCancel((await first).error)).toBe(true);
    expect(asked).toHaveLength(3);
    await asked[2]?.answer(lease());
    expect((await second).value).toMatchObject({ status: 200 });
    expect(sent).toEqual(['/second']);
  });

  it('opens for what others have learned, for no longer than a server may ask', async () => {
    const { member, breaker, get, told } = setUp({ rateLimit: { maxWait: 5_000 } });
    member?.learn('default', { waitMs: 60_000, recovery: 'clock', row: 0 });
    expect((await get('/')).error).toMatchObject({ reason: 'shared', retryAfterMs: 5_000 });
    expect(told).toEqual(['OPEN', 'REFUSE']);
    expect(breaker.getStatus()).toBe(true);
  });

  it('tells what it opened for itself, and the state of each circuit', async () => {
    const { member, get } = setUp();
    await get('/');
    const own = { reason: 'consecutive', waitMs: 300, recovery: 'probe', row: 1 };
    expect(member?.ownOpening('default')).toEqual(own);
    expect(member?.getState('default')).toBe('open');
    expect(member?.keys()).toEqual(['default']);
  });

  it('tells of each circuit that it makes', async () => {
    const { made, get } = setUp({ key: (config) => String(config.url) });
    await get('/a');
    await get('/b');
    await get('/a');
    expect(made).toEqual(['/a', '/b']);
  });

  it('takes commands for one circuit or for all', () => {
    const { member, breaker } = setUp();
    member?.command('open', undefined);
    expect(breaker.getState()).toBe('forced-open');
    member?.command('close', 'default');
    expect(breaker.getState()).toBe('closed');
  });

  it('asks nobody while it only observes', async () => {
    const { asked, get, toHalfOpen, member, sent } = setUp({ mode: 'observe' });
    await toHalfOpen();
    await get('/');
    expect(sent).toEqual(['/']);
    expect(asked).toEqual([]);
    expect(member?.observes).toBe(true);
  });

  it('takes part no longer once it is detached', () => {
    const { breaker, left } = setUp();
    breaker.detach();
    expect(left).toHaveBeenCalledTimes(1);
  });

  it('has a fleet', () => {
    const { breaker, fleet } = setUp();
    expect(breaker.fleet).toBe(fleet);
  });

  it('may guard a function', async () => {
    const { shared, asked } = createShared();
    const clock = new ManualClock();
    const options = { name: 'orders', shared, clock, consecutiveFailures: 1, cooldownJitter: 0 };
    const breaker = new FunctionBreaker(() => Promise.reject(new Error('down')), options);
    await outcome(breaker.call());
    clock.advance(1_000);
    void outcome(breaker.call());
    await settled();
    expect(asked).toHaveLength(1);
    await asked[0]?.answer('denied');
  });
});

describe('a breaker that shares nothing', () => {
  it.each(['open', 'close'] as const)('rejects fleet.%s, and says why', async (command) => {
    const breaker = new CircuitBreakerWithEmitter(axios.create());
    await expect(breaker.fleet[command]()).rejects.toThrow(
      'A breaker has a fleet only with the option `shared`',
    );
  });
});

describe('the option shared', () => {
  it('takes no part where it cannot be attached', () => {
    const { shared, members } = createShared();
    const client = axios.create();
    const { getAdapter } = axios;
    Object.assign(axios, { getAdapter: undefined });
    try {
      const create = () => new CircuitBreakerWithEmitter(client, { name: 'orders', shared });
      expect(create).toThrow('this version of axios has no getAdapter');
    } finally {
      Object.assign(axios, { getAdapter });
    }
    expect(members).toEqual([]);
  });

  it('needs a name', () => {
    const { shared } = createShared();
    expect(() => new CircuitBreakerWithEmitter(axios.create(), { shared })).toThrow(
      new TypeError(
        'Expected `name` to be a name of its own where `shared` is given, got undefined',
      ),
    );
  });

  it.each([null, 1, {}, 'redis'])('is none of %j', (shared) => {
    const options = { name: 'orders', shared } as never;
    expect(() => new CircuitBreakerWithEmitter(axios.create(), options)).toThrow(
      /^Expected `shared` to be what redisState\(\) returns, got /,
    );
  });
});
