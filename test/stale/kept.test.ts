import { CircuitBreakerWithEmitter } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { headersOf, setUp } from './offline.js';

const asAlice = { headers: { Authorization: 'Bearer alice' } };

describe('what is never kept', () => {
  it.each(['post', 'put', 'patch', 'delete', 'options', 'query', 'POST', 'Post'])(
    'is the answer to %s',
    async (method) => {
      const { offline, online } = setUp();
      await online({ method });
      expect(await offline({ method })).toBeUndefined();
      expect(await offline({ method: 'get' })).toBeUndefined();
    },
  );

  it.each([199, 206, 300, 304, 400, 418, 429, 500, 503])('has the status %d', async (status) => {
    const { offline, online } = setUp(() => ({ status }));
    await online({ validateStatus: () => true });
    await online();
    expect(await offline({ validateStatus: () => true })).toBeUndefined();
    expect(await offline()).toBeUndefined();
  });

  it('is what validateStatus rejects', async () => {
    const { offline, online } = setUp();
    const validateStatus = (status: number) => status === 204;
    await online({ validateStatus });
    expect(await offline({ validateStatus })).toBeUndefined();
  });

  it.each([
    ['Cache-Control', 'no-store'],
    ['cache-control', 'max-age=60, No-Store'],
    ['cache-control', ['max-age=60', 'no-store']],
    ['cache-control', 'no-store;'],
    ['cache-control', `x="${'y'.repeat(9_000)}", no-store`],
    ['Vary', '*'],
    ['vary', 'Accept, *'],
  ])('says %s: %p', async (name, value) => {
    const headers = { [name]: value } as Record<string, string>;
    const { offline, online } = setUp(() => ({ headers }));
    await online(asAlice);
    expect(await offline(asAlice)).toBeUndefined();
  });

  it.each([
    ['Range', 'bytes=0-9'],
    ['range', 'bytes=0-9'],
    ['Cache-Control', 'no-store'],
  ])('is asked for with %s: %s, and is no answer to that', async (name, value) => {
    const { offline, online } = setUp();
    const config = { headers: { [name]: value } };
    await online(config);
    expect(await offline()).toBeUndefined();
    await online();
    expect(await offline(config)).toBeUndefined();
  });

  it('is asked for as a stream', async () => {
    const { offline, online } = setUp();
    await online({ responseType: 'stream' });
    expect(await offline({ responseType: 'stream' })).toBeUndefined();
  });

  it('is asked for with a body that is no text', async () => {
    const { offline, online } = setUp();
    const config = { data: Buffer.from('query'), transformRequest: [] };
    await online(config);
    expect(await offline(config)).toBeUndefined();
  });

  it('has a URL that cannot be told; that is no fault', async () => {
    const { offline, onFault, online } = setUp();
    const serialize = () => {
      throw new Error('no');
    };
    const config = { params: { page: 1 }, paramsSerializer: { serialize } };
    await online(config);
    expect(await offline(config)).toBeUndefined();
    expect(onFault).not.toHaveBeenCalled();
  });

  it('is what transformResponse threw at: the last good answer is the one before', async () => {
    let data = 'good';
    const { offline, online } = setUp(() => ({ data }));
    const transformResponse = (given: string) => {
      if (given !== 'good') throw new Error('not as agreed');
      return { given };
    };
    await online({ transformResponse });
    data = '<html>We are working on it</html>';
    await online({ transformResponse });
    expect((await offline({ transformResponse }))?.data).toEqual({ given: 'good' });
  });

  it('is an answer of a cache', async () => {
    const { offline, online } = setUp(() => ({ cached: true }) as never);
    await online();
    expect(await offline()).toBeUndefined();
  });
});

describe('what is meant for one user', () => {
  const personal = [
    ['Cache-Control', 'private'],
    ['cache-control', 'max-age=60, Private="x-name"'],
    ['Set-Cookie', ['session=alice']],
    ['set-cookie', 'session=alice'],
  ] as const;

  it.each(personal)('by %s: %p, is kept under a credential only', async (name, value) => {
    const headers = { [name]: value } as Record<string, string>;
    const { offline, online } = setUp(() => ({ headers }));
    await online();
    expect(await offline()).toBeUndefined();
    await online(asAlice);
    expect(await offline(asAlice)).toBeDefined();
    expect(await offline()).toBeUndefined();
  });

  it.each([
    ['Proxy-Authorization', { headers: { 'Proxy-Authorization': 'Basic x' } }],
    [
      'the auth of a proxy',
      { proxy: { host: 'p', port: 1, auth: { username: 'a', password: 'b' } } },
    ],
    ['a header that may be one', { headers: { 'X-Foo': 'red' } }],
    ['an empty header', { headers: { 'X-Api-Key': '' } }],
  ])('is not kept under %s: that need be none for the server', async (_title, config) => {
    const { offline, online } = setUp(() => ({ headers: { 'cache-control': 'private' } }));
    await online(config);
    expect(await offline(config)).toBeUndefined();
  });

  it('may be so by a cookie that a browser does not show', async () => {
    Object.assign(globalThis, { location: { href: 'https://app.example.com/' } });
    const { offline, online } = setUp(() => ({ headers: { vary: 'Accept, Cookie' } }));
    await online();
    expect(await offline()).toBeUndefined();
    await online(asAlice);
    expect(await offline(asAlice)).toBeDefined();
    Reflect.deleteProperty(globalThis, 'location');
    await online();
    expect(await offline()).toBeDefined();
  });

  it('never brings its cookies along', async () => {
    const headers = { 'Set-Cookie': ['session=alice'], 'set-cookie2': 'x', etag: '1' };
    const { offline, online } = setUp(() => ({ headers }));
    await online(asAlice);
    expect(headersOf(await offline(asAlice))).toEqual({ etag: '1', age: '0' });
  });
});

describe('the age of what is served', () => {
  it('is at most maxAge', async () => {
    const { clock, offline, online } = setUp(undefined, { options: { maxAge: 90_000 } });
    await online();
    clock.advance(90_000);
    expect((await offline())?.headers['age']).toBe('90');
    clock.advance(1);
    expect(await offline()).toBeUndefined();
    await online();
    expect((await offline())?.headers['age']).toBe('0');
  });

  it('is an hour at most where nothing is said', async () => {
    const { clock, offline, online } = setUp();
    await online();
    clock.advance(3_600_000);
    expect(await offline()).toBeDefined();
    clock.advance(1);
    expect(await offline()).toBeUndefined();
  });

  it.each([
    ['Age', '50', '51'],
    ['age', ['50'], '51'],
    ['age', 50, '51'],
    ['age', '50, 7', '51'],
    ['age', 'old', '1'],
    ['age', '', '1'],
  ])('counts what it had when it came: %s: %p', async (name, value, age) => {
    const headers = { [name]: value } as Record<string, string>;
    const options = { maxAge: 51_500 };
    const { clock, offline, online } = setUp(() => ({ headers }), { options });
    await online();
    clock.advance(200);
    expect((await offline())?.headers['age']).toBe(age);
    clock.advance(1_301);
    expect((await offline()) === undefined).toBe(age === '51');
  });

  it('counts from when it was asked for', async () => {
    const { clock, offline, online } = setUp(
      () => {
        clock.advance(10_000);
        return { headers: { age: '50' } };
      },
      { options: { maxAge: 60_500 }, clock: new ManualClock(7) },
    );
    await online();
    expect((await offline())?.headers['age']).toBe('60');
    clock.advance(501);
    expect(await offline()).toBeUndefined();
  });

  it('is told by the clock of the breaker that kept it', async () => {
    const { breaker, client, clock, stale } = setUp(undefined, { options: { maxAge: 1_000 } });
    await client.get('/');
    breaker.detach();
    new CircuitBreakerWithEmitter(client, {
      clock: new ManualClock(-9_999),
      fallback: stale,
    }).open();
    clock.advance(999);
    expect((await client.get('/')).headers['age']).toBe('1');
    clock.advance(2);
    await expect(client.get('/')).rejects.toMatchObject({ name: 'BreakerOpenError' });
  });

  it('cannot be told by a clock that went back: then nothing is served', async () => {
    const { clock, offline, online } = setUp(() => ({ headers: { age: '60' } }));
    await online();
    jest.spyOn(clock, 'now').mockReturnValue(-1);
    expect(await offline()).toBeUndefined();
  });
});
