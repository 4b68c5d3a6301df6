import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { AxiosHeaders, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { LRUCache } from 'lru-cache';
import { serveStale } from '../../src/stale/index.js';
import { setUp } from './offline.js';

type User = 'alice' | 'bob';
type ConfigOf = (user: User) => object;

/** One of each user's own, as who keeps a client certificate or a session in it has them. */
const eachHas = <Thing>(create: (user: User) => Thing) => {
  const things = { alice: create('alice'), bob: create('bob') };
  return (user: User) => things[user];
};

const inHeader =
  (name: string): ConfigOf =>
  (user) => ({ headers: { [name]: user } });

const agents = eachHas(() => new Agent());
const secureAgents = eachHas(() => new SecureAgent());
const functions = eachHas(() => () => undefined);
const adapters = eachHas(
  (data) => (config: unknown) => Promise.resolve({ status: 200, headers: {}, data, config }),
);
class Transport {
  readonly user: User;
  constructor(user: User) {
    this.user = user;
  }
}
const transports = eachHas((user) => new Transport(user));

const carriers: [string, ConfigOf][] = [
  ['Authorization', inHeader('Authorization')],
  ['authorization in any case', inHeader('aUTHORIZATION')],
  ['AxiosHeaders', (user) => ({ headers: new AxiosHeaders({ Authorization: user }) })],
  ['a Cookie', inHeader('Cookie')],
  ['several cookies', (user) => ({ headers: { cookie: ['theme=dark', `session=${user}`] } })],
  ['a cookie longer than any', (user) => ({ headers: { cookie: 'x'.repeat(20_000) + user } })],
  ['a number', (user) => ({ headers: { 'X-Api-Key': user.length } })],
  ['Proxy-Authorization', inHeader('Proxy-Authorization')],
  ['X-Api-Key', inHeader('X-Api-Key')],
  ['credentialHeaders', inHeader('X-Who')],
  ...[
    ...['X-Auth-Token', 'PRIVATE-TOKEN', 'X-Session', 'apikey', 'Ocp-Apim-Subscription-Key'],
    ...['X-Amz-Security-Token', 'X-Signature', 'X-User-Id', 'X-Forwarded-User', 'X-Tenant'],
    ...['X-Account', 'OpenAI-Organization', 'X-Impersonate', 'Sudo', 'From', 'Host', 'X-Org-Id'],
    ...['X-Workspace', 'X-MS-Client-Principal', 'X-Forwarded-Host', 'X-Role', 'Accept-Profile'],
    ...['X-Bearer', 'X-SID', 'X-UID', 'DPoP', 'X-Access', 'X-PAT', 'X-Ticket', 'X-Employee-Id'],
    ...['X-Patient', 'X-Device-Id', 'X-Merchant-Id', 'X-Viewer', 'X-Actor', 'X-Acct', 'X-Foo'],
    ...['Stripe-Context', 'X-Auth-Token-Request-Id', 'X-Session-Request-Id', 'Baggage', 'Referer'],
  ].map((name): [string, ConfigOf] => [name, inHeader(name)]),
  ['auth', (user) => ({ auth: { username: user, password: 'x' } })],
  ['the password of auth', (user) => ({ auth: { username: 'x', password: user } })],
  ['auth, split elsewhere', (user) => ({ auth: splitAt(user === 'bob' ? 1 : 2) })],
  ['the proxy', (user) => ({ proxy: { host: user, port: 1 } })],
  [
    'the auth of the proxy',
    (user) => ({ proxy: { host: 'p', port: 1, auth: { username: user, password: 'x' } } }),
  ],
  [
    'the auth of the proxy in one',
    (user) => ({ proxy: { host: 'p', port: 1, auth: `${user}:x` } }),
  ],
  ['the URL', (user) => ({ url: `https://${user}:x@example.com/` })],
  ['the baseURL', (user) => ({ baseURL: `https://${user}@example.com/` })],
  ['the query', (user) => ({ url: `/?access_token=${user}` })],
  ['params', (user) => ({ params: { token: user } })],
  ['URLSearchParams', (user) => ({ params: new URLSearchParams({ token: user }) })],
  [
    'paramsSerializer',
    (user) => ({ params: { page: 1 }, paramsSerializer: { serialize: () => `token=${user}` } }),
  ],
  ['the body', (user) => ({ data: { user } })],
  ['the agent', (user) => ({ httpAgent: agents(user) })],
  ['the agent for TLS', (user) => ({ httpsAgent: secureAgents(user) })],
  ['the socket', (user) => ({ socketPath: `/run/${user}.sock` })],
  ['the transport', (user) => ({ transport: transports(user) })],
  ['a transport that is a plain object', (user) => ({ transport: { request: functions(user) } })],
  ['lookup', (user) => ({ lookup: functions(user) })],
  ['beforeRedirect', (user) => ({ beforeRedirect: functions(user) })],
  ['the certificate of HTTP/2', (user) => ({ http2Options: { cert: user } })],
  ['the dispatcher of fetch', (user) => ({ fetchOptions: { dispatcher: transports(user) } })],
  ['fetch itself', (user) => ({ env: { fetch: functions(user) } })],
  ['withCredentials', (user) => ({ withCredentials: user === 'bob' })],
  ['the adapter', (user) => ({ adapter: adapters(user) })],
  ['transformResponse', (user) => ({ transformResponse: functions(user) })],
];

function splitAt(at: number): object {
  return { username: 'a:b:c'.slice(0, at), password: 'a:b:c'.slice(at) };
}

describe("one user's data", () => {
  const options = { credentialHeaders: ['x-WHO'] };

  it.each(carriers)(
    'is for nobody else where the credential is in: %s',
    async (_title, configOf) => {
      const { offline, online } = setUp(undefined, { options });
      await online(configOf('alice'));
      expect(await offline(configOf('bob'))).toBeUndefined();
      expect(await offline()).toBeUndefined();
      expect(await offline(configOf('alice'))).toMatchObject({ fallback: 'stale' });
    },
  );

  it('is for nobody else where the client adds the credential', async () => {
    const stale = serveStale();
    const one = setUp(undefined, { stale });
    const other = setUp(undefined, { stale });
    other.client.defaults.adapter = one.client.defaults.adapter as never;
    one.client.defaults.headers.common.Authorization = 'alice';
    other.client.interceptors.request.use((config) => {
      config.headers.set('Authorization', 'bob');
      return config;
    });
    await one.online();
    expect(await other.offline()).toBeUndefined();
    expect(await one.offline()).toBeDefined();
    expect((await other.offline({ headers: { Authorization: 'alice' } }))?.data).toBeUndefined();
  });

  it('does not meet that of another by how headers are joined', async () => {
    const { offline, online } = setUp(undefined, { options });
    await online({ headers: { cookie: ['a', 'b'], 'X-Api-Key': 'c' } });
    expect(await offline({ headers: { cookie: ['a,b'], 'X-Api-Key': 'c' } })).toBeUndefined();
    expect(await offline({ headers: { cookie: 'a', 'X-Api-Key': 'b,c' } })).toBeUndefined();
    expect(await offline({ headers: { cookie: 'a","b', 'X-Api-Key': 'c' } })).toBeUndefined();
    expect(await offline({ headers: { cookie: ['a', 'b', 'X-Api-Key', 'c'] } })).toBeUndefined();
  });

  it('is for whoever asks the same way, however that is written', async () => {
    const { offline, online } = setUp();
    await online({ headers: { Authorization: 'alice', Cookie: 'a=1' }, method: 'GET' });
    for (const headers of [
      { cookie: 'a=1', authorization: 'alice' },
      { COOKIE: ['a=1'], Authorization: ' alice ' },
      new AxiosHeaders('authorization: alice\ncookie: a=1'),
      { cookie: 'a=1', authorization: 'alice', 'X-Tenant': undefined, 'X-User': null, From: false },
      { cookie: 'a=1', authorization: 'alice', 'User-Agent': 'x', 'X-Request-Id': '7' },
    ]) {
      expect(await offline({ headers: headers as never })).toBeDefined();
    }
  });

  it.each([
    ...['Accept', 'Accept-Charset', 'Accept-Encoding', 'Accept-Language', 'Content-Type'],
    ...['Content-Length', 'User-Agent', 'Connection', 'Cache-Control', 'Pragma', 'If-None-Match'],
    ...['If-Modified-Since', 'Idempotency-Key', 'X-Request-Id', 'X-Client-Request-Id'],
    ...['X-Correlation-Id', 'TraceParent', 'TraceState', 'B3', 'X-B3-TraceId', 'X-B3-SpanId'],
    ...['X-B3-ParentSpanId', 'X-B3-Sampled', 'X-B3-Flags', 'X-Amzn-Trace-Id'],
    ...['X-Cloud-Trace-Context', 'X-Page-View'],
  ])('is for whoever asks the same, whatever %s says', async (name) => {
    const { offline, online } = setUp(undefined, { options: { ignoredHeaders: ['X-PAGE-view'] } });
    await online({ headers: { [name]: 'one', Authorization: 'alice' } });
    expect(await offline({ headers: { [name]: 'other', Authorization: 'alice' } })).toBeDefined();
    expect(await offline({ headers: { Authorization: 'alice' } })).toBeDefined();
    expect(await offline({ headers: { [name]: 'one', Authorization: 'bob' } })).toBeUndefined();
  });

  it.each([
    [{ ignoredHeaders: ['Authorization', 'cookie', 'X-API-Key'] }, 'Authorization'],
    [{ ignoredHeaders: ['Authorization', 'cookie', 'X-API-Key'] }, 'Cookie'],
    [{ ignoredHeaders: ['Authorization', 'cookie', 'X-API-Key'] }, 'X-Api-Key'],
    [{ ignoredHeaders: ['X-Who'], credentialHeaders: ['x-who'] }, 'X-Who'],
    [{ credentialHeaders: ['X-Correlation-Id'] }, 'x-correlation-id'],
  ])('is for nobody else where a credential is to be ignored: %j, %s', async (options, name) => {
    const { offline, online } = setUp(undefined, { options });
    await online(inHeader(name)('alice'));
    expect(await offline(inHeader(name)('bob'))).toBeUndefined();
    expect(await offline(inHeader(name)('alice'))).toBeDefined();
  });

  it('is told by what an ignored header says, where the answer varies by it', async () => {
    const options = { ignoredHeaders: ['X-Page'] };
    const { offline, online } = setUp(() => ({ headers: { vary: 'x-page' } }), { options });
    await online({ headers: { 'X-Page': '1' } });
    expect(await offline({ headers: { 'X-Page': '2' } })).toBeUndefined();
    expect(await offline({ headers: { 'X-Page': '1' } })).toBeDefined();
  });

  it('is not told by what changes with the config afterwards', async () => {
    const { client, breaker } = setUp();
    const { config } = await client.get('/', { headers: { Authorization: 'alice' } });
    config.headers.set('Authorization', 'bob');
    breaker.open();
    await expect(client.request(config)).rejects.toMatchObject({ name: 'BreakerOpenError' });
  });

  it('is told by what is asked now, where the config is that of an earlier request', async () => {
    const { clock, stale } = setUp();
    const config = { url: '/', headers: { Authorization: 'alice' } };
    stale.observe?.({ config, clock })?.({ status: 200, data: 'of alice', headers: {} } as never);
    const request = { config, clock, data: undefined, key: 'default' };
    const refused = { ...request, error: { isBreakerOpenError: true } };
    expect(await stale.answer(refused)).toBeDefined();
    config.headers.Authorization = 'bob';
    expect(await stale.answer(refused)).toBeUndefined();
    expect(await stale.answer({ ...request, error: new Error('down') })).toBeDefined();
  });

  it('is kept without any credential that could be read', async () => {
    const set = jest.spyOn(LRUCache.prototype, 'set');
    const { offline, online } = setUp(() => ({
      headers: { vary: 'X-Auth-Token, Accept-Language' },
    }));
    const config = { headers: { 'X-Auth-Token': 'SECRET', 'Accept-Language': 'de' } };
    await online(config);
    expect(await offline(config)).toBeDefined();
    const kept = JSON.stringify(set.mock.calls, (_name, value: unknown) =>
      value instanceof Map ? [...value] : value,
    );
    expect(kept).toContain('accept-language');
    expect(kept).not.toContain('SECRET');
    set.mockRestore();
  });

  it('is for nobody where a credential cannot be hidden', async () => {
    const builtIn = jest.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    const crypto = jest.replaceProperty(globalThis, 'crypto', {} as never);
    const { offline, online } = setUp();
    await online(inHeader('Authorization')('alice'));
    expect(await offline(inHeader('Authorization')('alice'))).toBeUndefined();
    expect(await offline(inHeader('Authorization')('bob'))).toBeUndefined();
    await online();
    expect(await offline()).toBeDefined();
    crypto.restore();
    builtIn.mockRestore();
  });
});

describe('a relative URL in a browser', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'location');
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('is that of the page', async () => {
    const { offline, online } = setUp();
    Object.assign(globalThis, { location: { href: 'https://app.example.com/alice/' } });
    await online({ url: 'data.json' });
    await online({ url: '/shared.json' });
    Object.assign(globalThis, { location: { href: 'https://app.example.com/bob/' } });
    expect(await offline({ url: 'data.json' })).toBeUndefined();
    expect(await offline({ url: '/shared.json' })).toBeDefined();
    Object.assign(globalThis, { document: { baseURI: 'https://app.example.com/alice/index' } });
    expect(await offline({ url: 'data.json' })).toBeDefined();
  });
});

describe('a credential that comes in below the breaker', () => {
  type Sign = (config: AxiosRequestConfig) => Partial<AxiosResponse>;
  const below: [string, Sign][] = [
    [
      'an adapter adds to the config',
      (config) => {
        Reflect.set(config.headers ?? {}, 'Authorization', 'alice');
        return {};
      },
    ],
    [
      'an adapter adds to a copy of the config',
      (config) => ({ config: { ...config, headers: { cookie: 'session=alice' } } as never }),
    ],
    [
      'an agent adds to the request',
      () => ({ request: { getHeaders: () => ({ cookie: 'alice' }) } }),
    ],
    [
      'an adapter adds under whatever name',
      () => ({ request: { getHeaders: () => ({ 'x-foo': 'alice' }) } }),
    ],
    [
      'an adapter puts in the place of another',
      () => ({ request: { getHeaders: () => ({ authorization: 'alice' }) } }),
    ],
  ];

  it.each(below)('is one that %s: nothing is kept', async (_title, sign) => {
    const { offline, online } = setUp(sign);
    const config = { headers: { authorization: 'a placeholder' } };
    await online(config);
    expect(await offline(config)).toBeUndefined();
  });

  it('is none of those that axios makes of what is a part of the key', async () => {
    const wire = {
      host: 'example.com',
      'proxy-authorization': 'Basic x',
      'x-xsrf-token': 'y',
      authorization: 'Basic z',
      'user-agent': 'axios',
      'accept-encoding': 'gzip',
      'content-length': '7',
      traceparent: '00-1',
    };
    const { offline, online } = setUp(() => ({ request: { getHeaders: () => wire } }));
    const basic = { auth: { username: 'alice', password: 'x' } };
    await online(basic);
    expect(await offline(basic)).toBeDefined();
    const inUrl = { url: 'https://alice@example.com/' };
    await online(inUrl);
    expect(await offline(inUrl)).toBeDefined();
    await online();
    expect(await offline()).toBeUndefined();
  });
});
