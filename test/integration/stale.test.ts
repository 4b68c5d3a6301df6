import { Agent, type ClientRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import { serveStale } from '../../src/stale/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { describeIf, isAxiosFrom } from '../support/axios-version.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { defaultOptions, outcome, sleep, startRig, type Rig } from '../support/rig.js';
import { senders } from '../support/senders.js';
import { inTurn } from '../support/steps.js';

// axios 1.0 takes no headers from an object of another realm, as Jest gives it those of Node.
const seesHeaders = !isAxiosFrom(1, 0) || isAxiosFrom(1, 1);

interface Basket {
  owner: string;
  items: string[];
}

const as = (user: string): AxiosRequestConfig => ({ headers: { Authorization: `Bearer ${user}` } });

describe('serveStale', () => {
  expectQuietProcess();
  const clock = new ManualClock();
  let rig: Rig;
  afterEach(() => rig.stop());

  /** A server that says to everybody something else. */
  async function start(config: AxiosRequestConfig = {}, options = {}): Promise<Rig> {
    rig = await startRig({ clock, cooldown: 60_000, fallback: serveStale(), ...options }, config);
    const owners = ['alice', 'bob', 'carol'].map((owner) => ({ body: { owner, items: ['tea'] } }));
    rig.server.script('/basket', owners);
    return rig;
  }

  /** The server goes, and the breaker learns of it. */
  async function goDown({ server, client, breaker }: Rig): Promise<void> {
    await server.close();
    await inTurn(defaultOptions.consecutiveFailures, () => client.get('/down'));
    expect(breaker.getState()).toBe('open');
  }

  const ownerFor = async (config: AxiosRequestConfig): Promise<string | undefined> => {
    const { value } = await outcome(rig.client.get<Basket>('/basket', config));
    return (value as AxiosResponse<Basket> | undefined)?.data.owner;
  };

  it('gives each user its own while the server is down, marked, with its age, and unchanged', async () => {
    const { client } = await start();
    const online = await client.get<Basket>('/basket', as('alice'));
    online.data.items.push('changed by a caller');
    await client.get('/basket', as('bob'));
    await goDown(rig);
    clock.advance(2_500);

    const alice = await client.get<Basket>('/basket', as('alice'));
    expect(alice).toMatchObject({ status: 200, fallback: 'stale', data: { owner: 'alice' } });
    expect(alice.headers['age']).toBe('3');
    expect(alice.data.items).toEqual(['tea']);
    alice.data.items.length = 0;

    const again = await client.get<Basket>('/basket', as('alice'));
    expect(again.data).toEqual({ owner: 'alice', items: ['tea'] });
    expect(await ownerFor(as('bob'))).toBe('bob');
    expect(await ownerFor(as('carol'))).toBeUndefined();
    expect(await ownerFor({})).toBeUndefined();
    expect(rig.faults).toEqual([]);
  });

  it('gives what was asked for last, although an answer from before came after it', async () => {
    const { client, server } = await start();
    server.script('/basket', [
      { delay: 200, body: { owner: 'before' } },
      { body: { owner: 'last' } },
    ]);
    const late = ownerFor({});
    while (server.requests('/basket').length === 0) await sleep(1);
    clock.advance(1_000);
    expect(await ownerFor({})).toBe('last');
    clock.advance(1_000);
    expect(await late).toBe('before');
    await goDown(rig);
    expect(await client.get('/basket')).toMatchObject({
      data: { owner: 'last' },
      headers: { age: '1' },
    });
  });

  it('tells users apart by what the client has as default', async () => {
    const { client } = await start();
    const { common } = client.defaults.headers;
    common.Authorization = 'alice';
    expect(await ownerFor({})).toBe('alice');
    common.Authorization = 'bob';
    expect(await ownerFor({})).toBe('bob');
    await goDown(rig);
    expect(await ownerFor({})).toBe('bob');
    common.Authorization = 'alice';
    expect(await ownerFor({})).toBe('alice');
    common.Authorization = 'carol';
    expect(await ownerFor({})).toBeUndefined();
  });

  it.each([
    ['auth', (user: string) => ({ auth: { username: user, password: 'x' } })],
    [
      'cookies',
      (user: string) => ({ headers: { Cookie: ['theme=dark', `user=${user}`] as never } }),
    ],
    ['X-Api-Key', (user: string) => ({ headers: { 'x-api-key': user } })],
    ['params', (user: string) => ({ params: { as: [user] } })],
    ['a body', (user: string) => ({ data: { user } })],
  ])('tells users apart by %s', async (_title, configFor) => {
    await start();
    expect(await ownerFor(configFor('alice'))).toBe('alice');
    expect(await ownerFor(configFor('bob'))).toBe('bob');
    await goDown(rig);
    expect(await ownerFor(configFor('alice'))).toBe('alice');
    expect(await ownerFor(configFor('bob'))).toBe('bob');
    expect(await ownerFor(configFor('carol'))).toBeUndefined();
  });

  it('keeps nothing where an agent adds the cookies, which nobody sees before', async () => {
    class CookieAgent extends Agent {
      addRequest(request: ClientRequest, ...rest: unknown[]): void {
        request.setHeader('cookie', 'session=alice');
        const send: unknown = Reflect.get(Agent.prototype, 'addRequest');
        Reflect.apply(send as () => void, this, [request, ...rest]);
      }
    }
    const httpAgent = new CookieAgent();
    await start({ httpAgent });
    expect(await ownerFor({})).toBe('alice');
    expect(rig.server.requests('/basket')[0]?.headers.cookie).toBe('session=alice');
    await goDown(rig);
    expect(await ownerFor({})).toBeUndefined();
    httpAgent.destroy();
  });

  it('answers a failure as well, by what was asked before the adapter changed it', async () => {
    const { client, server } = await start({}, { fallbackOn: 'failure' });
    server.script('/basket', [{ headers: { vary: 'User-Agent' }, body: { owner: 'alice' } }, 503]);
    await client.get('/basket', as('alice'));
    const response = await client.get('/basket', as('alice'));
    expect(response).toMatchObject({ fallback: 'stale', data: { owner: 'alice' } });
    expect((await outcome(client.get('/basket', as('bob')))).error).toBeDefined();
  });

  it('forgets what the server no longer gives to a user', async () => {
    const { server } = await start();
    server.script('/basket', [{ body: { owner: 'alice' } }, { body: { owner: 'bob' } }, 403]);
    await ownerFor(as('alice'));
    await ownerFor(as('bob'));
    await ownerFor(as('alice'));
    await goDown(rig);
    expect(await ownerFor(as('alice'))).toBeUndefined();
    expect(await ownerFor(as('bob'))).toBe('bob');
  });

  it('keeps what transformResponse made, and nothing that it threw at', async () => {
    const transformResponse = [(data: string) => ({ owner: JSON.parse(data) as unknown })];
    const { server, client } = await start({ transformResponse });
    server.script('/basket', [{ body: '"alice"' }, { body: '<html>We are working on it</html>' }]);
    const config = (await client.get('/basket')).config;
    expect(config.transformResponse).toEqual(transformResponse);
    expect((await outcome(client.get('/basket'))).error).toBeInstanceOf(SyntaxError);
    await goDown(rig);
    expect(await ownerFor({})).toBe('alice');
  });

  it('keeps bytes as a Buffer', async () => {
    const { client, server } = await start();
    server.script('/bytes', [{ body: Buffer.from([0, 1, 255]) }]);
    const config = { responseType: 'arraybuffer' } as const;
    await client.get('/bytes', config);
    await goDown(rig);
    const { data } = await client.get<Buffer>('/bytes', config);
    expect(Buffer.isBuffer(data)).toBe(true);
    expect([...data]).toEqual([0, 1, 255]);
  });

  it('leaves a stream to its reader', async () => {
    const { client } = await start();
    const config = { responseType: 'stream' } as const;
    const { data } = await client.get<Readable>('/basket', config);
    expect(await text(data)).toBe('{"owner":"alice","items":["tea"]}');
    await goDown(rig);
    expect(await ownerFor(config)).toBeUndefined();
  });

  it.each(senders)('does all that with $sender', async ({ config }) => {
    await start(config);
    expect(await ownerFor(as('alice'))).toBe('alice');
    await goDown(rig);
    expect(await ownerFor(as('alice'))).toBe('alice');
    expect(await ownerFor(as('bob'))).toBeUndefined();
  });

  describeIf(seesHeaders)('where axios sees the headers of the server', () => {
    it('does as they say', async () => {
      const { client, server } = await start();
      const answer = (headers: Record<string, string>) => [{ headers, body: 'kept' }];
      server.script('/private', answer({ 'cache-control': 'private', 'set-cookie': 'session=1' }));
      server.script('/no-store', answer({ 'cache-control': 'no-store' }));
      server.script('/vary', answer({ vary: 'Accept-Language, Accept-Encoding' }));
      const german = { headers: { 'Accept-Language': 'de' } };
      for (const url of ['/private', '/no-store', '/vary']) await client.get(url, german);
      await client.get('/private', as('alice'));
      await goDown(rig);
      const served = async (url: string, config: AxiosRequestConfig) => {
        const { value } = await outcome(client.get(url, config));
        return value as AxiosResponse | undefined;
      };
      expect(await served('/private', german)).toBeUndefined();
      expect(await served('/no-store', german)).toBeUndefined();
      expect(await served('/vary', { headers: { 'accept-language': 'en' } })).toBeUndefined();
      expect(await served('/vary', german)).toMatchObject({ data: 'kept', fallback: 'stale' });
      const own = await served('/private', as('alice'));
      expect(own?.data).toBe('kept');
      expect(own?.headers).not.toHaveProperty('set-cookie');
    });
  });
});
