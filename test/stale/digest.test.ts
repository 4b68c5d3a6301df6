import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { AskedReader } from '../../src/stale/asked.js';
import { keyOf } from '../../src/stale/digest.js';

const secrets = [
  { headers: { Authorization: 'secret' } },
  { headers: { 'X-Auth-Token': 'secret' } },
  { headers: { 'X-Foo': 'secret' } },
  { auth: { username: 'alice', password: 'secret' } },
  { url: 'https://alice:secret@example.com/' },
  { url: '//alice:secret@example.com/' },
  { url: '/?page=1&access_token=secret' },
  { url: '/?sid=secret' },
  { params: { apiKey: 'secret' } },
  { proxy: { host: 'proxy', port: 1, auth: { username: 'alice', password: 'secret' } } },
];

describe('the key of a request', () => {
  const reader = new AskedReader({ credentialHeaders: [], ignoredHeaders: [] });
  const keyFor = async (config: object) => {
    const asked = reader.read(config);
    return asked && keyOf(asked);
  };
  afterEach(() => jest.restoreAllMocks());

  it.each(secrets)('shows nothing of a credential: %j', async (config) => {
    expect(await keyFor(config)).toMatch(/^[\da-f]{64}$/);
    expect(await keyFor(config)).toBe(await keyFor(structuredClone(config)));
  });

  it('is what was asked for where there is none', async () => {
    const config = { url: '/items', headers: { Accept: 'text/html' } };
    expect(await keyFor(config)).toContain('"GET","/items"');
  });

  it.each(secrets)(
    'is the same where Node gives no other SHA-256 than a browser: %j',
    async (config) => {
      const key = await keyFor(config);
      jest.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
      expect(await keyFor(config)).toBe(key);
    },
  );

  it.each(secrets)('is not there where nothing can hide the credential: %j', async (config) => {
    jest.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    jest.replaceProperty(globalThis, 'crypto', {} as never);
    expect(await keyFor(config)).toBeUndefined();
    expect(await keyFor({ url: '/' })).toBeDefined();
  });

  it('does not wait for the threads of Node, which may all be looking up names', async () => {
    const done = jest.fn();
    const busy = Array.from({ length: 8 }, async () => {
      await promisify(pbkdf2)('x', 'y', 100_000, 64, 'sha512');
      done();
    });
    expect(await keyFor({ headers: { Authorization: 'secret' } })).toBeDefined();
    expect(done).not.toHaveBeenCalled();
    await Promise.all(busy);
  });
});
