import { setImmediate as nextRound } from 'node:timers/promises';
import { CircuitBreaker, firstOf, staticFallback } from '../../src/index.js';
import { serveStale } from '../../src/stale/index.js';
import { headersOf, setUp } from './offline.js';

const asAlice = { headers: { Authorization: 'Bearer alice' } };

describe('the last good answer', () => {
  it('is served while the breaker is open, and says that it is stale and how old', async () => {
    const { adapter, clock, offline, online } = setUp(() => ({
      data: { items: [1, 2] },
      headers: { 'Content-Type': 'application/json', etag: '"7"' },
      status: 203,
    }));
    await online({ url: '/items' });
    clock.advance(61_001);
    const response = await offline({ url: '/items' });
    expect(response).toMatchObject({ data: { items: [1, 2] }, status: 203, fallback: 'stale' });
    expect(headersOf(response)).toEqual({
      'content-type': 'application/json',
      etag: '"7"',
      age: '62',
    });
    expect(adapter).toHaveBeenCalledTimes(1);
  });

  it('is the latest', async () => {
    let version = 0;
    const { offline, online } = setUp(() => ({ data: (version += 1) }));
    await online();
    await online();
    expect((await offline())?.data).toBe(2);
  });

  it('is there as soon as the caller has it, although its key takes time', async () => {
    const builtIn = jest.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    const { offline, online } = setUp();
    await online(asAlice);
    expect((await offline(asAlice))?.data).toBe('/');
    builtIn.mockRestore();
  });

  it('is the one that came last, although its key was there first', async () => {
    const hashed: (() => void)[] = [];
    // As in a browser.
    const builtIn = jest.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    const { subtle } = globalThis.crypto;
    const digest = subtle.digest.bind(subtle);
    const slow = jest.spyOn(subtle, 'digest').mockImplementation(async (...args) => {
      await new Promise<void>((resolve) => hashed.push(resolve));
      return digest(...args);
    });
    let version = 0;
    const { offline, online } = setUp(() => ({ data: (version += 1) }));
    await online(asAlice);
    await online(asAlice);
    const served = offline(asAlice);
    await nextRound();
    expect(hashed).toHaveLength(3);
    for (const end of hashed.reverse()) {
      end();
      await nextRound();
    }
    expect((await served)?.data).toBe(2);
    slow.mockRestore();
    builtIn.mockRestore();
    expect((await offline(asAlice))?.data).toBe(2);
  });

  it('is not there for another URL, method, kind of answer, or body', async () => {
    const { offline, online } = setUp();
    await online({ url: '/a', params: { page: 1 } });
    expect(await offline({ url: '/b', params: { page: 1 } })).toBeUndefined();
    expect(await offline({ url: '/a', params: { page: 2 } })).toBeUndefined();
    expect(await offline({ url: '/a' })).toBeUndefined();
    expect(await offline({ url: '/a?page=1', method: 'head' })).toBeUndefined();
    expect(await offline({ url: '/a?page=1', responseType: 'text' })).toBeUndefined();
    expect(await offline({ url: '/a?page=1', data: { query: 1 } })).toBeUndefined();
    expect(await offline({ url: '/a?page=1', method: 'GET' })).toBeDefined();
  });

  it('is as transformResponse left it, and not transformed again', async () => {
    const transformResponse = (data: unknown) => ({ made: data });
    const { offline, online } = setUp();
    await online({ transformResponse });
    expect((await offline({ transformResponse }))?.data).toEqual({ made: '/' });
    expect(await offline()).toBeUndefined();
  });

  it('passes the response interceptors like a real one', async () => {
    const { client, offline, online } = setUp(() => ({ data: { items: [] } }));
    client.interceptors.response.use((response) => ({ ...response, data: [response.data] }));
    await online();
    expect((await offline())?.data).toEqual([{ items: [] }]);
  });

  it('is served for a failure, too, by what was asked and not by what an adapter added', async () => {
    let status = 200;
    const { client } = setUp(
      ({ headers }) => {
        Reflect.set(headers ?? {}, 'User-Agent', 'axios');
        return { status, headers: { vary: 'User-Agent' }, data: 'kept' };
      },
      { breaking: { fallbackOn: 'failure' } },
    );
    await client.get('/', asAlice);
    status = 503;
    expect(await client.get('/', asAlice)).toMatchObject({ data: 'kept', fallback: 'stale' });
    const asBob = { headers: { Authorization: 'Bearer bob' } };
    await expect(client.get('/', asBob)).rejects.toThrow('status 503');
  });

  it('can be one of several fallbacks, and for one request', async () => {
    const fallback = firstOf(serveStale(), staticFallback('none'));
    const { breaker, client } = setUp();
    const get = async (url: string) => {
      const { data } = await client.get<unknown>(url, { circuitBreaker: { fallback } });
      return data;
    };
    await get('/a');
    breaker.open();
    expect([await get('/a'), await get('/b')]).toEqual(['/a', 'none']);
    await expect(client.get('/a')).rejects.toMatchObject({ name: 'BreakerOpenError' });
  });

  it('is shared by the breakers that share the fallback', async () => {
    const { breaker, client, clock, stale } = setUp();
    const second = new CircuitBreaker(client, { clock, fallback: stale });
    await client.get('/');
    second.open();
    expect((await client.get('/')).data).toBe('/');
    second.close();
    breaker.open();
    expect((await client.get('/')).data).toBe('/');
  });

  it('is there for a retry that sends the same config again', async () => {
    const { breaker, client } = setUp(() => ({ headers: { vary: 'Accept-Encoding' } }));
    const { config } = await client.get('/');
    Reflect.set(config.headers, 'Accept-Encoding', 'gzip');
    breaker.open();
    expect((await client.request(config)).data).toBe('/');
  });
});

describe('the options of serveStale', () => {
  it.each([
    [{ maxEntries: 0 }, RangeError, '`maxEntries` to be an integer from 1 to 1000000, got 0'],
    [{ maxEntries: 1.5 }, RangeError, 'an integer from 1 to 1000000, got 1.5'],
    [{ maxEntries: 1e9 }, RangeError, 'an integer from 1 to 1000000, got 1000000000'],
    [{ maxEntries: '5' }, TypeError, 'an integer from 1 to 1000000, got "5"'],
    [{ maxAge: 0 }, RangeError, 'Expected `maxAge` to be a number of milliseconds above 0, got 0'],
    [{ maxAge: NaN }, RangeError, 'a number of milliseconds above 0, got NaN'],
    [{ maxAge: '1h' }, TypeError, 'a number of milliseconds above 0, got "1h"'],
    [{ credentialHeaders: 'x-session' }, TypeError, 'a list of header names, got "x-session"'],
    [{ credentialHeaders: [7] }, RangeError, 'a list of header names, got [7]'],
    [{ ignoredHeaders: 'baggage' }, TypeError, 'a list of header names, got "baggage"'],
    [{ ignoredHeaders: [7] }, RangeError, 'Expected `ignoredHeaders` to be a list of header names'],
    [
      { ignoreHeaders: [] },
      TypeError,
      'Unknown option `ignoreHeaders`. Did you mean `ignoredHeaders`?',
    ],
    [{ maxage: 1 }, TypeError, 'Unknown option `maxage`. Did you mean `maxAge`?'],
    [
      { credentials: [] },
      TypeError,
      'Unknown option `credentials`. Did you mean `credentialHeaders`?',
    ],
    [null, TypeError, 'Expected `options` to be an object, got null'],
    [500, TypeError, 'Expected `options` to be an object, got 500'],
  ])('throw where they are bad: %p', (options, ErrorType, message) => {
    expect(() => serveStale(options as never)).toThrow(ErrorType);
    expect(() => serveStale(options as never)).toThrow(message);
  });

  it('are only those that were given, whatever all objects have', async () => {
    Object.assign(Object.prototype, { maxAge: 1 });
    const { clock, offline, online } = setUp(undefined, { options: { maxEntries: 1 } });
    Reflect.deleteProperty(Object.prototype, 'maxAge');
    await online();
    clock.advance(60_000);
    expect(await offline()).toBeDefined();
  });

  it('may be left out, undefined, or without an end', () => {
    expect(() => serveStale({ maxAge: undefined, maxEntries: undefined })).not.toThrow();
    expect(() =>
      serveStale({ maxAge: Infinity, credentialHeaders: [], ignoredHeaders: [] }),
    ).not.toThrow();
  });
});
