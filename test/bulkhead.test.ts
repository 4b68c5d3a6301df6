import axios, { type AxiosRequestConfig } from 'axios';
import {
  CircuitBreakerWithEmitter,
  isBreakerOpenError,
  isBulkheadFullError,
} from '../src/index.js';
import type { CircuitBreakerOptions } from '../src/index.js';
import { ManualClock } from '../src/testing/index.js';

interface Exchange {
  answer(status?: number): Promise<void>;
}

/** A client whose exchanges end when the test says so. */
function setUp(options: CircuitBreakerOptions = {}) {
  const clock = new ManualClock();
  const exchanges: Exchange[] = [];
  const adapter = (config: AxiosRequestConfig) =>
    new Promise((resolve) => {
      exchanges.push({
        answer: (status = 200) => {
          resolve({ status, headers: {}, data: config.url, config });
          return settle();
        },
      });
    });
  const client = axios.create({ adapter: adapter as never });
  const breaker = new CircuitBreakerWithEmitter(client, {
    maxConcurrent: 1,
    maxQueued: 10,
    consecutiveFailures: 1,
    clock,
    ...options,
  });
  const refused: unknown[] = [];
  breaker.on('REFUSE', ({ error }) => refused.push(error));
  const ends: unknown[] = [];
  const get = (url: string, config: AxiosRequestConfig = {}) => {
    void client.get(url, config).then(
      ({ data }) => ends.push(data),
      (error: unknown) => ends.push(error),
    );
    return settle();
  };
  return { clock, client, breaker, exchanges, refused, ends, get };
}

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('a breaker with places', () => {
  it('sends no more than there are, and the next when one is free', async () => {
    const { breaker, exchanges, ends, get } = setUp();
    await get('/1');
    await get('/2');
    expect(exchanges).toHaveLength(1);
    expect(breaker.snapshot()).toMatchObject({ inFlight: 1, queued: 1 });
    await exchanges[0]?.answer();
    expect(exchanges).toHaveLength(2);
    await exchanges[1]?.answer();
    expect(ends).toEqual(['/1', '/2']);
    expect(breaker.snapshot()).toMatchObject({
      inFlight: 0,
      queued: 0,
      counts: { admitted: 2, refused: 0 },
    });
  });

  it('turns away who finds neither a place nor room to wait, and that is no failure', async () => {
    const { breaker, exchanges, ends, refused, get } = setUp({
      maxQueued: undefined,
      name: 'orders',
    });
    await get('/1');
    await get('/2');
    expect(isBulkheadFullError(ends[0])).toBe(true);
    expect(ends[0]).toMatchObject({ breaker: 'orders', key: 'default', config: { url: '/2' } });
    expect(axios.isCancel(ends[0])).toBe(true);
    expect(refused).toEqual([ends[0]]);
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 1, refused: 1, failure: 0 });
    await exchanges[0]?.answer();
    expect(breaker.getState()).toBe('closed');
  });

  it.each([
    ['maxQueueWait', { maxQueueWait: 50 }, 50],
    ['requestTimeout', { requestTimeout: 70 }, 70],
    ['30 s', {}, 30_000],
  ])('lets nobody wait longer than %s', async (_title, options, ms) => {
    const { clock, ends, get } = setUp(options);
    await get('/1', { circuitBreaker: { requestTimeout: Infinity } });
    await get('/2');
    clock.advance(ms - 1);
    await settle();
    expect(ends).toEqual([]);
    clock.advance(1);
    await settle();
    expect(isBulkheadFullError(ends[0])).toBe(true);
  });

  it('takes the deadline from sending, not from waiting', async () => {
    const { clock, exchanges, ends, get } = setUp({ requestTimeout: 100, maxQueueWait: 1_000 });
    await get('/1', { circuitBreaker: { requestTimeout: Infinity } });
    await get('/2');
    clock.advance(500);
    await exchanges[0]?.answer();
    clock.advance(99);
    await exchanges[1]?.answer();
    expect(ends).toEqual(['/1', '/2']);
  });

  it('refuses all who wait when it opens', async () => {
    const { breaker, exchanges, ends, get } = setUp();
    await get('/1');
    await get('/2');
    await get('/3');
    await exchanges[0]?.answer(503);
    expect(ends).toHaveLength(3);
    expect(ends.filter(isBreakerOpenError)).toHaveLength(2);
    expect(exchanges).toHaveLength(1);
    expect(breaker.snapshot()).toMatchObject({ queued: 0, counts: { admitted: 1, refused: 2 } });
  });

  it('refuses at once, without waiting, while it is open', async () => {
    const { breaker, ends, get } = setUp();
    await get('/1');
    breaker.open();
    await get('/2');
    expect(isBreakerOpenError(ends[0])).toBe(true);
    expect(breaker.snapshot()).toMatchObject({ queued: 0, counts: { refused: 1 } });
  });

  it('lets who waits go on where it has closed again meanwhile', async () => {
    const { breaker, exchanges, ends, get } = setUp();
    breaker.on('OPEN', () => breaker.close());
    await get('/1');
    await get('/2');
    breaker.open();
    await settle();
    expect(breaker.snapshot().queued).toBe(1);
    await exchanges[0]?.answer();
    await exchanges[1]?.answer();
    expect(ends).toEqual(['/1', '/2']);
  });

  it('takes no place for what is refused, nor for an adapter that throws', async () => {
    const { breaker, exchanges, ends, get } = setUp();
    breaker.open();
    await get('/refused');
    breaker.close();
    const adapter = () => {
      throw new Error('no adapter');
    };
    await get('/throws', { adapter });
    await get('/sent');
    expect(exchanges).toHaveLength(1);
    expect(ends).toHaveLength(2);
  });

  it('turns nobody away in observe mode', async () => {
    const { exchanges, get } = setUp({ mode: 'observe' });
    for (const url of ['/1', '/2', '/3']) await get(url);
    expect(exchanges).toHaveLength(3);
  });

  it('has places of its own for each key', async () => {
    const { exchanges, get } = setUp({ key: ({ url }) => String(url) });
    for (const url of ['/a', '/b', '/a']) await get(url);
    expect(exchanges).toHaveLength(2);
  });
});

describe('who waits for a place', () => {
  it('is judged by the data as transformResponse leaves it, like all others', async () => {
    const seen: unknown[] = [];
    const { exchanges, get } = setUp({
      responseHandler: ({ data }) => {
        seen.push(data);
        return false;
      },
    });
    const transformResponse = (data: unknown) => ({ made: data });
    await get('/1', { transformResponse });
    await get('/2', { transformResponse });
    await exchanges[0]?.answer();
    await exchanges[1]?.answer();
    expect(seen).toEqual([{ made: '/1' }, { made: '/2' }]);
  });

  it('can give up by signal, and gets what axios gives for that', async () => {
    const { breaker, exchanges, ends, get } = setUp();
    const caller = new AbortController();
    await get('/1');
    await get('/2', { signal: caller.signal });
    caller.abort();
    await settle();
    expect(ends[0]).toBeInstanceOf(axios.CanceledError);
    expect(isBreakerOpenError(ends[0]) || isBulkheadFullError(ends[0])).toBe(false);
    await exchanges[0]?.answer();
    expect(exchanges).toHaveLength(1);
    expect(breaker.snapshot()).toMatchObject({ queued: 0, counts: { admitted: 1, refused: 1 } });
  });

  it('can give up by token, and gets its reason', async () => {
    const { ends, get } = setUp();
    const source = axios.CancelToken.source();
    await get('/1');
    await get('/2', { cancelToken: source.token });
    source.cancel('enough');
    await settle();
    expect(ends).toEqual([source.token.reason]);
  });

  it('never exceeds the places, under a thousand at once of which a third gives up', async () => {
    const { breaker, client } = setUp({
      maxConcurrent: 10,
      maxQueued: 1_000,
      maxQueueWait: 60_000,
    });
    let atOnce = 0;
    let most = 0;
    const adapter = async (config: AxiosRequestConfig) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await settle();
      atOnce -= 1;
      return { status: 200, headers: {}, data: '', config };
    };
    const requests = Array.from({ length: 1_000 }, (_, index) => {
      const caller = new AbortController();
      const request = client.get('/', { adapter: adapter as never, signal: caller.signal });
      if (index % 3 === 0) setImmediate(() => caller.abort());
      return request.then(
        () => 'sent',
        (error: unknown) => (axios.isCancel(error) ? 'cancelled' : error),
      );
    });
    const outcomes = new Set(await Promise.all(requests));
    await settle();
    expect(outcomes).toEqual(new Set(['sent', 'cancelled']));
    expect(most).toBe(10);
    const { inFlight, queued, counts } = breaker.snapshot();
    expect({ inFlight, queued }).toEqual({ inFlight: 0, queued: 0 });
    expect(counts.admitted + counts.refused).toBe(1_000);
    expect(counts.success + counts.failure + counts.ignored).toBe(counts.admitted);
  });
});
