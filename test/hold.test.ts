import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import {
  CircuitBreakerWithEmitter,
  firstOf,
  holdUntilClosed,
  isBreakerOpenError,
  staticFallback,
  type BreakerOpenError,
  type CircuitBreakerOptions,
  type Fallback,
} from '../src/index.js';
import { ManualClock } from '../src/testing/index.js';
import { outcome } from './support/rig.js';
import { counts, times, watch } from './support/watch.js';

interface Exchange {
  readonly url: string;
  readonly answer: (status: number, headers?: Record<string, string>) => Promise<void>;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A breaker that opens on 5 failures in a row for 300 ms, and a server that answers when told to. */
function setUp(options: CircuitBreakerOptions = {}) {
  const clock = new ManualClock();
  const exchanges: Exchange[] = [];
  const adapter = (config: AxiosRequestConfig) =>
    new Promise((resolve, reject) => {
      config.signal?.addEventListener?.('abort', () => reject(new axios.CanceledError()));
      const answer = async (status: number, headers = {}) => {
        const response = { status, headers, statusText: '', data: '"raw"', config };
        if (status < 400) resolve(response);
        else reject(Object.assign(new Error(`status ${status}`), { config, response }));
        await settled();
      };
      exchanges.push({ url: String(config.url), answer });
    });
  const client = axios.create({ adapter: adapter as never });
  const breaker = new CircuitBreakerWithEmitter(client, {
    consecutiveFailures: 5,
    cooldown: 300,
    cooldownJitter: 0,
    halfOpen: false,
    fallback: holdUntilClosed(),
    clock,
    ...options,
  });
  const told = watch(breaker);
  const ends: string[] = [];
  const get = (url: string, config?: AxiosRequestConfig) => {
    const end = outcome(client.get<unknown>(url, config));
    void end.then(({ value, error }) => {
      const { status } = (value ?? {}) as { status?: number };
      ends.push(`${url} ${status ?? (error as Error).message}`);
    });
    return end as Promise<{
      value?: AxiosResponse<unknown> & { fallback?: string };
      error?: unknown;
    }>;
  };
  const getAll = async (...urls: string[]) => {
    for (const url of urls) void get(url);
    await settled();
  };
  const trip = async () => {
    for (let call = 0; call < 5; call += 1) {
      const end = get('/trip');
      await settled();
      await exchanges.at(-1)?.answer(503);
      // Not a second of waiting where it was not even sent.
      await Promise.race([end, settled()]);
    }
    expect(breaker.getState()).toBe('open');
    exchanges.length = told.length = ends.length = 0;
  };
  const advance = async (ms: number) => {
    clock.advance(ms);
    await settled();
  };
  const urls = () => exchanges.map(({ url }) => url);
  return { clock, client, breaker, exchanges, told, ends, get, getAll, trip, advance, urls };
}

/** A fallback that has nothing, after a while. */
const slowly = async () => {
  await settled();
  throw new Error('nothing kept');
};

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `/${index + 1}`);

describe('a request that is held', () => {
  it('is sent when the circuit closes, and its answer is the one of the server', async () => {
    const { client, exchanges, told, get, trip, advance, breaker } = setUp();
    const given: unknown[] = [];
    breaker.on('FALLBACK', ({ error }) => given.push(error));
    await trip();
    const end = get('/x');
    await advance(299);
    expect([exchanges.length, breaker.snapshot().queued]).toEqual([0, 1]);
    await advance(1);
    await exchanges[0]?.answer(200);
    expect((await end).value).toMatchObject({ status: 200, data: 'raw', fallback: 'hold' });
    expect(told).toEqual(['CLOSE cooldown-elapsed 300', 'SUCCESS']);
    expect(given.map(isBreakerOpenError)).toEqual([true]);
    expect(breaker.snapshot()).toMatchObject({
      queued: 0,
      inFlight: 0,
      counts: { admitted: 6, refused: 0, success: 1, failure: 5 },
    });
    expect(client.defaults.transformResponse).toBeDefined();
  });

  it('goes after one other that succeeded, then two at once, then four', async () => {
    const { exchanges, getAll, trip, advance, urls, ends } = setUp();
    await trip();
    await getAll(...numbered(8));
    await advance(300);
    expect(urls()).toEqual(numbered(1));
    await exchanges[0]?.answer(200);
    expect(urls()).toEqual(numbered(3));
    await Promise.all([exchanges[1]?.answer(200), exchanges[2]?.answer(200)]);
    expect(urls()).toEqual(numbered(7));
    for (const { answer } of exchanges.slice(3)) await answer(200);
    await exchanges[7]?.answer(200);
    expect(ends).toEqual(numbered(8).map((url) => `${url} 200`));
  });

  it('may be the probe, and the others wait for what comes of it', async () => {
    const { exchanges, getAll, trip, advance, urls, told, breaker } = setUp({ halfOpen: {} });
    await trip();
    await getAll(...numbered(3));
    await advance(300);
    expect([urls(), breaker.getState()]).toEqual([['/1'], 'half-open']);
    await exchanges[0]?.answer(200);
    expect(told).toEqual(['HALF_OPEN', 'SUCCESS', 'CLOSE probes-passed 300']);
    expect(urls()).toEqual(['/1', '/2', '/3']);
  });

  it('that fails as the probe ends so, and the others wait on', async () => {
    const { exchanges, getAll, trip, advance, urls, ends, breaker } = setUp({ halfOpen: {} });
    await trip();
    await getAll(...numbered(3));
    await advance(300);
    await exchanges[0]?.answer(503);
    expect(ends).toEqual(['/1 status 503']);
    expect([urls(), breaker.snapshot().queued]).toEqual([['/1'], 2]);
    await advance(600);
    expect(urls()).toEqual(['/1', '/2']);
    await exchanges[1]?.answer(200);
    await exchanges[2]?.answer(200);
    expect(ends).toEqual(['/1 status 503', '/2 200', '/3 200']);
  });

  it('is the next probe where one was cancelled, which nobody is told of', async () => {
    const { getAll, get, trip, advance, urls, breaker } = setUp({ halfOpen: {} });
    await trip();
    const controller = new AbortController();
    void get('/1', { signal: controller.signal });
    await getAll('/2');
    await advance(300);
    expect(urls()).toEqual(['/1']);
    controller.abort();
    await settled();
    expect([urls(), breaker.getState()]).toEqual([['/1', '/2'], 'half-open']);
  });

  it('is the next probe where one of somebody else was cancelled', async () => {
    const { getAll, get, trip, advance, urls } = setUp({ halfOpen: {} });
    await trip();
    const controller = new AbortController();
    await advance(300);
    void get('/other', { signal: controller.signal, circuitBreaker: { fallback: false } });
    await getAll('/1');
    expect(urls()).toEqual(['/other']);
    controller.abort();
    await settled();
    expect(urls()).toEqual(['/other', '/1']);
  });

  it('goes back to where it stood when it is told "not so often" again', async () => {
    const { exchanges, getAll, trip, advance, urls, ends, told, breaker } = setUp();
    await trip();
    await getAll(...numbered(4));
    await advance(300);
    await exchanges[0]?.answer(200);
    // Two are out: one of them is told to wait, and then the other one is.
    await exchanges[2]?.answer(429, { 'retry-after': '2' });
    await exchanges[1]?.answer(429, { 'retry-after': '3' });
    expect(breaker.snapshot()).toMatchObject({ queued: 3, inFlight: 0, openReason: 'rate-limit' });
    expect([urls(), ends]).toEqual([['/1', '/2', '/3'], ['/1 200']]);
    await advance(3_000);
    expect(urls().slice(3)).toEqual(['/2']);
    await exchanges[3]?.answer(200);
    // Two at once were too many for that limit.
    expect(urls().slice(4)).toEqual(['/3']);
    await exchanges[4]?.answer(200);
    await exchanges[5]?.answer(200);
    expect(ends).toEqual(numbered(4).map((url) => `${url} 200`));
    expect(told).not.toContain('REFUSE');
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 11, refused: 0, success: 4 });
  });

  it('does not go back with a stream for data, which is read by now', async () => {
    const { exchanges, client, trip, advance } = setUp();
    await trip();
    const data = { pipe: () => undefined, once: () => undefined, on: () => undefined };
    const end = outcome(client.post('/1', data, { transformRequest: (given: unknown) => given }));
    await settled();
    await advance(300);
    await exchanges[0]?.answer(429);
    expect((await end).error).toMatchObject({ message: 'status 429' });
  });

  it('lets go of an answer that is not for the caller, if that is a stream', async () => {
    const destroy = jest.fn();
    const data = { pipe: () => undefined, once: () => undefined, destroy };
    let status = 503;
    const adapter = (config: unknown) =>
      Promise.resolve({ status, headers: {}, statusText: '', data, config });
    const { client, trip, advance, breaker } = setUp();
    await trip();
    status = 429;
    void client.get('/', { adapter: adapter as never, responseType: 'stream' });
    await settled();
    await advance(300);
    expect([destroy.mock.calls.length, breaker.snapshot().queued]).toEqual([1, 1]);
  });

  it('counts as refused when the caller cancels it, at once, and nothing is sent', async () => {
    const { get, trip, advance, urls, told, breaker } = setUp({
      fallback: firstOf(holdUntilClosed({ maxWaiting: 1 }), staticFallback('instead')),
    });
    await trip();
    const controller = new AbortController();
    const end = get('/1', { signal: controller.signal });
    await settled();
    controller.abort();
    expect(axios.isCancel((await end).error)).toBe(true);
    expect(isBreakerOpenError((await end).error)).toBe(false);
    expect(breaker.snapshot()).toMatchObject({ queued: 0, counts: { refused: 1, admitted: 5 } });
    // Its room is another's.
    void get('/2');
    await advance(300);
    expect([urls(), told]).toEqual([['/2'], ['CLOSE cooldown-elapsed 300']]);
  });

  it('is cancelled at once where its signal was aborted before', async () => {
    const { get, trip, breaker } = setUp();
    await trip();
    const adapter = jest.fn();
    const { error } = await get('/1', { signal: AbortSignal.abort(), adapter });
    expect(axios.isCancel(error)).toBe(true);
    expect(breaker.snapshot().queued).toBe(0);
  });

  it('is refused where too many wait', async () => {
    const { getAll, trip, ends, told, breaker } = setUp({
      fallback: holdUntilClosed({ maxWaiting: 2 }),
    });
    await trip();
    await getAll(...numbered(3));
    expect(ends).toEqual(['/3 Circuit breaker is open']);
    expect(told).toEqual(['REFUSE']);
    expect(breaker.snapshot()).toMatchObject({ queued: 2, counts: { refused: 1 } });
  });

  it('is refused when it has waited too long, for as long as is left then', async () => {
    const { get, trip, advance, told, breaker } = setUp({
      cooldown: 1_000,
      fallback: holdUntilClosed({ maxWait: 400 }),
    });
    await trip();
    const end = get('/1');
    await advance(399);
    expect(told).toEqual([]);
    await advance(1);
    const { error } = await end;
    expect(error).toMatchObject({ name: 'BreakerOpenError', retryAfterMs: 600 });
    expect(told).toEqual(['REFUSE']);
    expect(breaker.snapshot()).toMatchObject({ queued: 0, counts: { refused: 1 } });
    await advance(600);
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 5 });
  });

  it('has waited too long in all, however often it was let go', async () => {
    const { get, exchanges, trip, advance } = setUp({
      fallback: holdUntilClosed({ maxWait: 400 }),
    });
    await trip();
    const end = get('/1');
    await settled();
    await advance(300);
    await exchanges[0]?.answer(429);
    await advance(100);
    expect(isBreakerOpenError((await end).error)).toBe(true);
  });

  it('leaves it to the next of several fallbacks when it is not sent', async () => {
    const { get, getAll, trip, told, breaker } = setUp({
      fallback: firstOf(holdUntilClosed({ maxWaiting: 1 }), staticFallback('instead')),
    });
    breaker.on('FALLBACK', () => told.push('FALLBACK'));
    await trip();
    await getAll('/1');
    expect((await get('/2')).value).toMatchObject({ data: 'instead', fallback: 'static' });
    expect(told).toEqual(['REFUSE', 'FALLBACK']);
  });

  it('that an earlier fallback answers was refused', async () => {
    const { get, trip, told, breaker } = setUp({
      fallback: firstOf(staticFallback('instead'), holdUntilClosed()),
    });
    await trip();
    expect((await get('/1')).value).toMatchObject({ fallback: 'static' });
    expect([told, breaker.snapshot().counts.refused]).toEqual([['REFUSE'], 1]);
  });

  it('comes too late to wait where the circuit closed meanwhile', async () => {
    const { get, trip, urls, breaker } = setUp({ fallback: firstOf(slowly, holdUntilClosed()) });
    await trip();
    void get('/1');
    breaker.close();
    await settled();
    await settled();
    expect(urls()).toEqual(['/1']);
  });

  it('has its place in a bulkhead that has no room for others to wait', async () => {
    const { exchanges, getAll, trip, advance, urls, ends } = setUp({ maxConcurrent: 1 });
    await trip();
    await getAll(...numbered(4));
    await advance(300);
    for (let exchange = 0; exchange < 4; exchange += 1) {
      expect(urls()).toHaveLength(exchange + 1);
      await exchanges[exchange]?.answer(200);
    }
    expect(ends).toEqual(numbered(4).map((url) => `${url} 200`));
  });

  it('can be cancelled while it waits for such a place', async () => {
    const { exchanges, get, getAll, trip, advance, ends, breaker } = setUp({ maxConcurrent: 1 });
    await trip();
    await getAll('/1');
    const controller = new AbortController();
    void get('/2', { signal: controller.signal });
    void get('/3');
    await advance(300);
    await exchanges[0]?.answer(200);
    controller.abort();
    await settled();
    await exchanges[1]?.answer(200);
    await exchanges[2]?.answer(200);
    expect(ends).toContain('/3 200');
    expect(breaker.snapshot()).toMatchObject({ queued: 0, inFlight: 0 });
  });

  it('waits further when the circuit opens while it waits for such a place', async () => {
    const { exchanges, getAll, trip, advance, urls, breaker } = setUp({ maxConcurrent: 1 });
    await trip();
    await getAll(...numbered(2));
    await advance(300);
    const [first] = exchanges;
    breaker.open();
    await settled();
    await first?.answer(200);
    expect([urls(), breaker.snapshot().queued]).toEqual([['/1'], 1]);
    breaker.close();
    await settled();
    expect(urls()).toEqual(['/1', '/2']);
  });

  it('is not forgotten with its circuit, which is not evicted meanwhile', async () => {
    const { get, client, exchanges, trip, clock, breaker } = setUp({
      key: ({ baseURL }) => baseURL ?? 'default',
      maxKeys: 1,
      onFault: () => undefined,
    });
    await trip();
    const end = get('/1');
    await settled();
    // No timer has told it yet.
    jest.spyOn(clock, 'now').mockReturnValue(1_000);
    void client.get('/2', { baseURL: 'b' });
    await settled();
    expect(breaker.keys()).toEqual(['default', '(overflow)']);
    clock.advance(300);
    await settled();
    for (const { answer } of exchanges) await answer(200);
    expect((await end).value).toMatchObject({ status: 200 });
  });

  it('is sent when the breaker is detached', async () => {
    const { exchanges, getAll, trip, breaker, ends, told } = setUp();
    await trip();
    await getAll('/1', '/2');
    breaker.detach();
    await settled();
    await exchanges[0]?.answer(200);
    await exchanges[1]?.answer(503);
    expect(ends).toEqual(['/1 200', '/2 status 503']);
    expect(told).toEqual([]);
  });

  it('is a success for another breaker on the client', async () => {
    const { client, exchanges, get, trip, advance } = setUp();
    const other = new CircuitBreakerWithEmitter(client, { consecutiveFailures: 99 });
    await trip();
    void get('/1');
    await advance(300);
    await exchanges[0]?.answer(200);
    expect(other.snapshot().counts).toMatchObject({ success: 1, ignored: 0 });
  });

  it('does not wait for a place where nothing was refused by the circuit', async () => {
    const { getAll, ends } = setUp({ maxConcurrent: 1 });
    await getAll('/1', '/2');
    expect(ends).toEqual(['/2 Bulkhead is full']);
  });

  it('answers no failures: those have been sent', async () => {
    const { get, exchanges } = setUp({ fallbackOn: 'failure' });
    const end = get('/1');
    await settled();
    await exchanges[0]?.answer(503);
    expect((await end).error).toMatchObject({ message: 'status 503' });
  });

  it.each([
    ['close()', (breaker: CircuitBreakerWithEmitter) => breaker.close()],
    ['close(key)', (breaker: CircuitBreakerWithEmitter) => breaker.close('new')],
    ['disable()', (breaker: CircuitBreakerWithEmitter) => breaker.disable()],
  ])(
    'is sent after %s, also of a circuit that was open from its beginning',
    async (_title, end) => {
      const { breaker, getAll, urls } = setUp({ key: () => 'new' });
      breaker.open();
      await getAll('/1');
      end(breaker);
      await settled();
      expect(urls()).toEqual(['/1']);
    },
  );

  it('is judged by what transformResponse makes of its answer, as any other', async () => {
    const seen: unknown[] = [];
    const { client, exchanges, trip, advance } = setUp({
      errorHandler: ({ response }) => {
        seen.push(response?.data);
        return true;
      },
    });
    await trip();
    seen.length = 0;
    const transformResponse = (data: unknown) => ({ made: data });
    const held = outcome(client.get('/', { transformResponse }));
    await settled();
    await advance(300);
    await exchanges[0]?.answer(429);
    expect(seen).toEqual([{ made: '"raw"' }]);
    await advance(10_000);
    await exchanges[1]?.answer(200);
    expect((await held).value).toMatchObject({ data: { made: '"raw"' } });
  });

  it('has its answer transformed once, where that looks like a limit and is none', async () => {
    const { client, exchanges, trip, advance, breaker } = setUp({
      errorHandler: ({ response }) => response?.status === 503,
      consecutiveFailures: 5,
    });
    await trip();
    const transformResponse = (data: unknown) => ({ made: data });
    const end = outcome(client.get('/', { transformResponse }));
    await settled();
    await advance(300);
    await exchanges[0]?.answer(429);
    expect((await end).error).toMatchObject({ response: { data: { made: '"raw"' } } });
    expect(breaker.snapshot().counts).toMatchObject({ success: 1, admitted: 6 });
  });

  it('that comes back to a breaker that is detached by then is sent once more', async () => {
    const { exchanges, getAll, trip, advance, breaker, ends } = setUp();
    await trip();
    await getAll('/1', '/2');
    await advance(300);
    breaker.detach();
    await settled();
    await exchanges[0]?.answer(429);
    await exchanges[1]?.answer(200);
    await exchanges[2]?.answer(200);
    expect(ends.sort()).toEqual(['/1 200', '/2 200']);
  });

  it('comes too late to wait where the breaker is detached meanwhile', async () => {
    const { get, trip, urls, breaker } = setUp({ fallback: firstOf(slowly, holdUntilClosed()) });
    await trip();
    void get('/1');
    breaker.detach();
    await settled();
    await settled();
    expect(urls()).toEqual(['/1']);
  });

  it('keeps its circuit while another fallback is asked before it', async () => {
    const slow = async () => {
      await settled();
      await settled();
      throw new Error('nothing kept');
    };
    const { client, clock, trip, breaker, urls } = setUp({
      fallback: firstOf(slow, holdUntilClosed()),
      key: ({ baseURL }) => baseURL ?? 'default',
      maxKeys: 1,
      onFault: () => undefined,
    });
    await trip();
    void client.get('/1');
    clock.advance(300);
    void client.get('/2', { baseURL: 'b' });
    await settled();
    expect(breaker.keys()).toEqual(['default', '(overflow)']);
    await settled();
    await settled();
    expect(urls()).toContain('/1');
  });

  it('keeps those behind it waiting while it has no answer, for as long as requestTimeout allows', async () => {
    const { breaker, client, exchanges, getAll, advance, urls } = setUp({ requestTimeout: 1_000 });
    breaker.open();
    await getAll('/a', '/b');
    breaker.close();
    await settled();
    const other = client.get('/new');
    await settled();
    await exchanges[1]?.answer(200);
    await other;
    await advance(999);
    expect(urls()).toEqual(['/a', '/new']);
    await advance(1);
    expect(urls()).toEqual(['/a', '/new', '/b']);
  });

  it('leaves its refusal a config as it was, not as it was sent', async () => {
    const refusals: unknown[] = [];
    const fallback = firstOf((_config, refusal) => {
      refusals.push(refusal);
      throw new Error('nothing kept');
    }, holdUntilClosed());
    const { get, breaker, advance } = setUp({ fallback, requestTimeout: 1_000 });
    breaker.open();
    const end = get('/x');
    await settled();
    breaker.close();
    await settled();
    const [refusal] = refusals as BreakerOpenError[];
    expect(refusal?.config).toMatchObject({ url: '/x' });
    expect(refusal?.config).not.toHaveProperty('signal');
    await advance(1_000);
    await end;
  });

  it('is told as refused where the next fallback throws', async () => {
    const thrown = new Error('no fallback either');
    const { getAll, get, told } = setUp({
      fallback: firstOf(holdUntilClosed({ maxWaiting: 1 }), () => Promise.reject(thrown)),
      maxConcurrent: 1,
    });
    await getAll('/1');
    expect((await get('/2')).error).toBe(thrown);
    expect(told).toEqual(['REFUSE']);
  });

  it('goes to no other fallback once its time is over for the caller', async () => {
    const next = jest.fn();
    const { get, trip } = setUp({ fallback: firstOf(holdUntilClosed(), next) });
    await trip();
    const controller = new AbortController();
    const end = get('/1', { signal: controller.signal });
    await settled();
    controller.abort(new DOMException('too late', 'TimeoutError'));
    expect(axios.isCancel((await end).error)).toBe(true);
    expect(next).not.toHaveBeenCalled();
  });

  it('is no answer of a fallback where it fails', async () => {
    const { breaker, get, exchanges, trip, advance } = setUp();
    const given = jest.fn();
    breaker.on('FALLBACK', given);
    await trip();
    const end = get('/1');
    await settled();
    await advance(300);
    await exchanges[0]?.answer(503);
    expect((await end).error).toMatchObject({ message: 'status 503' });
    expect(given).not.toHaveBeenCalled();
  });

  it('leaves nothing behind where a fallback of your own did not wait for it', async () => {
    const inner = holdUntilClosed();
    const fallback: Fallback = {
      answer: (request) =>
        Promise.race([inner.answer(request), staticFallback('first').answer(request)]),
    };
    const { get, trip, advance, exchanges, breaker } = setUp({ fallback });
    await trip();
    expect((await get('/1')).value).toMatchObject({ data: 'first' });
    await advance(300);
    expect([exchanges.length, breaker.snapshot().inFlight]).toEqual([0, 0]);
  });

  it('leaves the counters at rest when all of many is done', async () => {
    const { exchanges, getAll, trip, advance, ends, breaker } = setUp({ halfOpen: {} });
    await trip();
    await getAll(...numbered(50));
    const statuses = [200, 200, 429, 200, 503, 200, 200, 503];
    let answered = 0;
    for (let round = 0; ends.length < 50 && round < 200; round += 1) {
      await advance(1_000);
      while (answered < exchanges.length) {
        await exchanges[answered]?.answer(statuses[answered % statuses.length] ?? 200);
        answered += 1;
      }
    }
    expect(ends).toHaveLength(50);
    const { inFlight, queued, counts: total } = breaker.snapshot();
    expect([inFlight, queued]).toEqual([0, 0]);
    expect(total.success + total.failure + total.ignored).toBe(total.admitted);
    expect(total.admitted).toBe(5 + exchanges.length);
  });
});

describe('holdUntilClosed', () => {
  it.each([
    [{ maxWaiting: 0 }, RangeError, 'Expected `maxWaiting` to be an integer of at least 1, got 0'],
    [
      { maxWait: '1s' },
      TypeError,
      'Expected `maxWait` to be a number of milliseconds above 0, got "1s"',
    ],
    [{ maxWaits: 1 }, TypeError, 'Unknown option `maxWaits`. Did you mean `maxWait`?'],
    [null, TypeError, 'Expected `options` to be an object, got null'],
  ])('takes no %p', (options, ErrorType, message) => {
    expect(() => holdUntilClosed(options as never)).toThrow(new ErrorType(message));
  });

  it('keeps a hundred, each for half a minute, where nothing else is said', async () => {
    const { getAll, trip, advance, ends, breaker } = setUp({ cooldown: 60_000 });
    await trip();
    await getAll(...numbered(101));
    expect([ends.length, breaker.snapshot().queued]).toEqual([1, 100]);
    await advance(29_999);
    expect(ends).toHaveLength(1);
    await advance(1);
    expect(ends).toEqual(times(101, expect.stringContaining('open') as string));
    expect(breaker.snapshot().counts).toEqual(
      counts({ admitted: 5, failure: 5, opened: 1, refused: 101 }),
    );
  });
});
