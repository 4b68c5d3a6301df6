import type { AxiosRequestConfig } from 'axios';
import fc from 'fast-check';
import type { OwnAnswer } from '../../src/fallback/fallback.js';
import { times } from '../support/watch.js';
import { setUp } from './offline.js';

const asAlice = { headers: { Authorization: 'Bearer alice' } };

describe('what is kept no longer', () => {
  const inGerman = { headers: { 'Accept-Language': 'de' } };
  const inEnglish = { headers: { 'Accept-Language': 'en' } };

  it.each([401, 403, 404, 410])('is what the server answers %d to since', async (gone) => {
    let status = 200;
    const { offline, online } = setUp(() => ({ status, headers: { vary: 'Accept-Language' } }));
    await online(inGerman);
    await online(inEnglish);
    status = gone;
    await online(inGerman);
    expect(await offline(inGerman)).toBeUndefined();
    status = 200;
    await online(inGerman);
    expect(await offline(inGerman)).toBeDefined();
    expect(await offline(inEnglish)).toBeUndefined();
  });

  it('is what it answers so to, fulfilled', async () => {
    let status = 200;
    const { offline, online } = setUp(() => ({ status }));
    const config = { validateStatus: () => true };
    await online(config);
    status = 404;
    await online(config);
    expect(await offline(config)).toBeUndefined();
  });

  it('is what it answers so to with a body that nobody can read', async () => {
    let status = 200;
    const { offline, online } = setUp(() => ({ status }));
    const transformResponse = (data: unknown) => {
      if (status !== 200) throw new Error('not as agreed');
      return data;
    };
    await online({ transformResponse });
    status = 401;
    await online({ transformResponse });
    expect(await offline({ transformResponse })).toBeUndefined();
  });

  it('is not what was refused to somebody else', async () => {
    const { offline, online } = setUp(({ headers }) => ({
      status: headers?.Authorization === 'Bearer alice' ? 200 : 403,
    }));
    await online(asAlice);
    await online({ headers: { Authorization: 'Bearer bob' } });
    expect(await offline(asAlice)).toBeDefined();
  });

  it.each([402, 405, 409, 418])('is not what the server answers %d to', async (other) => {
    let status = 200;
    const { offline, online } = setUp(() => ({ status }));
    await online();
    status = other;
    await online();
    expect(await offline()).toBeDefined();
  });

  it('is not what a 403 rate-limits, which is no word about access', async () => {
    let response = {};
    const errorHandler = () => false;
    const { offline, online } = setUp(() => response, { breaking: { errorHandler } });
    await online();
    response = { status: 403, headers: { 'retry-after': '60' } };
    await online();
    expect(await offline()).toBeDefined();
  });

  it('is what access was refused to, also where that is counted as a failure', async () => {
    let status = 200;
    const { client, offline } = setUp(() => ({ status }), {
      breaking: { fallbackOn: 'failure', consecutiveFailures: 9, errorHandler: () => true },
    });
    await client.get('/');
    status = 401;
    await expect(client.get('/')).rejects.toThrow('status 401');
    expect(await offline()).toBeUndefined();
  });

  it('is what was asked for before access was refused, and comes after it', async () => {
    const { clock, stale } = setUp();
    const config = { url: '/' } satisfies AxiosRequestConfig;
    const late = stale.observe?.({ config, clock });
    stale.observe?.({ config: { ...config }, clock })?.({ status: 401 } as never);
    late?.({ status: 200, data: 'secret', headers: {} } as never);
    const error = { isBreakerOpenError: true };
    const request = { config, clock, error, data: undefined, key: 'default' };
    expect(await stale.answer(request)).toBeUndefined();
  });

  it('goes for a new one where there are maxEntries, the least recently used first', async () => {
    const { offline, online } = setUp(undefined, { options: { maxEntries: 2 } });
    await online({ url: '/a' });
    await online({ url: '/b' });
    await offline({ url: '/a' });
    await online({ url: '/c' });
    const served = [];
    for (const url of ['/a', '/b', '/c']) served.push((await offline({ url }))?.data);
    expect(served).toEqual(['/a', undefined, '/c']);
  });

  it('is not driven out by what is not there', async () => {
    let status = 200;
    const { offline, online } = setUp(() => ({ status }), { options: { maxEntries: 2 } });
    await online({ url: '/a' });
    status = 404;
    for (const url of ['/1', '/2', '/3']) await online({ url });
    expect(await offline({ url: '/a' })).toBeDefined();
  });

  it('is everything, once it is cleared', async () => {
    const { offline, online, stale } = setUp();
    await online();
    await online(asAlice);
    stale.clear();
    expect(await offline()).toBeUndefined();
    expect(await offline(asAlice)).toBeUndefined();
    await online();
    expect(await offline()).toBeDefined();
  });

  it('is what was asked for before that, and comes after it', async () => {
    const { breaker, client, stale } = setUp();
    const request = client.get('/');
    await Promise.resolve();
    expect(breaker.snapshot().inFlight).toBe(1);
    stale.clear();
    await request;
    breaker.open();
    await expect(client.get('/')).rejects.toMatchObject({ name: 'BreakerOpenError' });
  });

  it('is what is about to be served while it is cleared', async () => {
    const { offline, online, stale } = setUp();
    await online(asAlice);
    const served = offline(asAlice);
    await Promise.resolve();
    stale.clear();
    expect(await served).toBeUndefined();
  });
});

describe('an answer that comes late', () => {
  /** Asks once for each, one second after the other; `tell` tells the answer to one of them. */
  function ask(...languages: string[]) {
    const { clock, stale } = setUp();
    const configFor = (language: string) => ({
      url: '/',
      headers: { 'Accept-Language': language },
    });
    const observers = languages.map((language) => {
      const observer = stale.observe?.({ config: configFor(language), clock });
      clock.advance(1_000);
      return observer;
    });
    const tell = (which: number, vary = '', status = 200) => {
      const response = { status, data: which, headers: { vary } };
      observers[which]?.(response as never);
    };
    const served = async (language: string) => {
      const request = { config: configFor(language), clock, data: undefined, key: 'default' };
      const answer = await stale.answer({ ...request, error: { isBreakerOpenError: true } });
      return (answer as OwnAnswer | undefined)?.response;
    };
    return { served, tell };
  }

  it('does not replace one that was asked for later, whatever the order', async () => {
    const someOfTen = fc.shuffledSubarray([...Array(10).keys()], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(someOfTen, async (order) => {
        const { served, tell } = ask(...times(10, 'de'));
        for (const which of order) tell(which);
        const latest = Math.max(...order);
        const age = String(10 - latest);
        expect(await served('de')).toMatchObject({ data: latest, headers: { age } });
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['', 'Accept-Language'],
    ['Accept-Language', ''],
    ['Accept', 'Accept-Language'],
  ])('does not say what it varies by to one asked for later: %p, %p', async (late, vary) => {
    const { served, tell } = ask('de', 'de');
    tell(1, vary);
    tell(0, late);
    expect((await served('de'))?.data).toBe(1);
  });

  it('does not say it either after another that varied as the latest does', async () => {
    const { served, tell } = ask('de', 'en', 'en');
    tell(2, 'Accept-Language');
    tell(0, 'Accept-Language');
    tell(1);
    expect((await served('en'))?.data).toBe(2);
  });

  it('is kept beside those that vary from it', async () => {
    const { served, tell } = ask('de', 'en');
    tell(1, 'Accept-Language');
    tell(0, 'Accept-Language');
    expect((await served('de'))?.data).toBe(0);
    expect((await served('en'))?.data).toBe(1);
  });

  it('does not bring back what the server has refused since', async () => {
    const { served, tell } = ask('de', 'de', 'de');
    tell(1);
    tell(2, '', 404);
    tell(0);
    expect(await served('de')).toBeUndefined();
  });
});

describe('an answer that varies', () => {
  it.each([
    'Accept-Language',
    ['accept-LANGUAGE'],
    'Accept-Encoding, accept-language',
    ['Accept-Encoding', 'Accept-Language'],
  ])('by %p is served to requests that have the same', async (vary) => {
    const { offline, online } = setUp(({ headers }) => ({
      data: headers?.['Accept-Language'] as unknown,
      headers: { Vary: vary },
    }));
    await online({ headers: { 'Accept-Language': 'de' } });
    await online({ headers: { 'Accept-Language': 'en' } });
    expect((await offline({ headers: { 'accept-language': 'de' } }))?.data).toBe('de');
    expect((await offline({ headers: { 'ACCEPT-LANGUAGE': 'en' } }))?.data).toBe('en');
    expect(await offline({ headers: { 'Accept-Language': 'fr' } })).toBeUndefined();
    expect(await offline()).toBeUndefined();
  });

  it('by nothing is served to all', async () => {
    const { offline, online } = setUp();
    await online({ headers: { 'Accept-Language': 'de' } });
    expect(await offline({ headers: { 'Accept-Language': 'en' } })).toBeDefined();
  });

  it('is told by what the latest answer varies by', async () => {
    let headers: Record<string, string> = {};
    const { offline, online } = setUp(() => ({ headers }));
    await online({ headers: { 'Accept-Language': 'de' } });
    headers = { vary: 'Accept-Language' };
    await online({ headers: { 'Accept-Language': 'en' } });
    expect(await offline({ headers: { 'Accept-Language': 'de' } })).toBeUndefined();
    expect(await offline({ headers: { 'Accept-Language': 'en' } })).toBeDefined();
  });
});
