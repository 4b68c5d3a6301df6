import type { AxiosRequestConfig } from 'axios';
import { setUp } from './offline.js';

const asAlice = { headers: { Authorization: 'Bearer alice' } };

describe('what is kept no longer', () => {
  const inGerman = { headers: { 'X-Lang': 'de' } };
  const inEnglish = { headers: { 'X-Lang': 'en' } };

  it.each([401, 403, 404, 410])('is what the server answers %d to since', async (gone) => {
    let status = 200;
    const { offline, online } = setUp(() => ({ status, headers: { vary: 'X-Lang' } }));
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

describe('an answer that varies', () => {
  it.each(['X-Lang', ['x-LANG'], 'Accept-Encoding, x-lang', ['Accept-Encoding', 'X-Lang']])(
    'by %p is served to requests that have the same',
    async (vary) => {
      const { offline, online } = setUp(({ headers }) => ({
        data: headers?.['X-Lang'] as unknown,
        headers: { Vary: vary },
      }));
      await online({ headers: { 'X-Lang': 'de' } });
      await online({ headers: { 'X-Lang': 'en' } });
      expect((await offline({ headers: { 'x-lang': 'de' } }))?.data).toBe('de');
      expect((await offline({ headers: { 'X-LANG': 'en' } }))?.data).toBe('en');
      expect(await offline({ headers: { 'X-Lang': 'fr' } })).toBeUndefined();
      expect(await offline()).toBeUndefined();
    },
  );

  it('by nothing is served to all', async () => {
    const { offline, online } = setUp();
    await online({ headers: { 'X-Lang': 'de' } });
    expect(await offline({ headers: { 'X-Lang': 'en' } })).toBeDefined();
  });

  it('is told by what the latest answer varies by', async () => {
    let headers: Record<string, string> = {};
    const { offline, online } = setUp(() => ({ headers }));
    await online({ headers: { 'X-Lang': 'de' } });
    headers = { vary: 'X-Lang' };
    await online({ headers: { 'X-Lang': 'en' } });
    expect(await offline({ headers: { 'X-Lang': 'de' } })).toBeUndefined();
    expect(await offline({ headers: { 'X-Lang': 'en' } })).toBeDefined();
  });
});
