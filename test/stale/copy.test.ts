import { setUp } from './offline.js';

/** As it came: axios would make something else of it. */
const untouched = { transformResponse: [] };

const original = () => ({
  items: [{ name: 'tea', tags: new Set(['green']) }],
  at: new Date(0),
  bytes: new Uint8Array([1, 2, 3]),
  byName: new Map([['tea', { price: 3 }]]),
});

type Data = ReturnType<typeof original>;

function change({ items, at, bytes, byName }: Data): void {
  items[0]?.tags.clear();
  items.length = 0;
  at.setTime(1);
  bytes.fill(9);
  byName.clear();
}

describe('what is kept', () => {
  it('does not change with what the caller got from the server', async () => {
    const { client, breaker } = setUp(() => ({ data: original() }));
    const { data, headers } = await client.get<Data>('/', untouched);
    change(data);
    Reflect.set(headers, 'x-changed', 'yes');
    breaker.open();
    const served = await client.get<Data>('/', untouched);
    expect(served.data).toEqual(original());
    expect(served.headers).not.toHaveProperty('x-changed');
  });

  it('does not change with what an interceptor makes of the answer', async () => {
    const { client, breaker } = setUp(() => ({ data: original() }));
    client.interceptors.response.use((response) => {
      expect(response.data).toEqual(original());
      change(response.data as Data);
      return response;
    });
    await client.get('/', untouched);
    breaker.open();
    await client.get('/', untouched);
    await client.get('/', untouched);
    expect.assertions(3);
  });

  it('does not change with what a caller got of it', async () => {
    const { online, offline } = setUp(() => ({ data: original() }));
    await online(untouched);
    const first = await offline(untouched);
    change(first?.data as Data);
    Reflect.set(first?.headers ?? {}, 'x-changed', 'yes');
    const second = await offline(untouched);
    expect(second?.data).toEqual(original());
    expect(second?.headers).not.toHaveProperty('x-changed');
  });

  it.each([null, undefined, '', 0, false, 'text', 12n])('may be %p', async (data) => {
    const { online, offline } = setUp(() => ({ data }));
    await online(untouched);
    const response = await offline(untouched);
    expect(response).toMatchObject({ fallback: 'stale' });
    expect(response?.data).toBe(data);
  });

  it('stays a Buffer, with no bytes but its own, and is another one each time', async () => {
    const pool = Buffer.from('bytes, and those of somebody else');
    const data = pool.subarray(0, 5);
    const { online, offline } = setUp(() => ({ data }));
    const config = { ...untouched, responseType: 'arraybuffer' } as const;
    await online(config);
    data.fill(0);
    for (let times = 0; times < 2; times += 1) {
      const served = (await offline(config))?.data as Buffer;
      expect(Buffer.isBuffer(served)).toBe(true);
      expect(served.toString()).toBe('bytes');
      expect(Buffer.from(served.buffer).toString()).toBe('bytes');
      served.fill(0);
    }
  });

  it.each([
    ['a stream', { getReader: () => undefined }],
    ['a function', () => undefined],
    ['an object that holds one', { items: [{ load: () => undefined }] }],
    ['a promise', Promise.resolve()],
    [
      'an object that throws when it is read',
      Object.defineProperty({}, 'x', { enumerable: true, get: throws }),
    ],
  ])('is not %s, which cannot be copied; that is no fault', async (_title, data) => {
    const { offline, onFault, online } = setUp(() => ({ data }));
    await online(untouched);
    expect(await offline(untouched)).toBeUndefined();
    expect(onFault).not.toHaveBeenCalled();
  });
});

function throws(): never {
  throw new Error('not to be read');
}
