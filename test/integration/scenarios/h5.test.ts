import { inspect } from 'node:util';
import axios, { type AxiosRequestConfig, type AxiosStatic } from 'axios';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { startRigAround } from '../../support/rig-around.js';
import { outcome, type Rig } from '../../support/rig.js';
import { counts } from '../../support/watch.js';

const aliases = ['0.27.2', '0.x', '1.0.0', '1.5.1', '1.7.2', '1.7.9'];
const copies = new Set([
  axios,
  ...aliases.map((version) => jest.requireActual<AxiosStatic>(`axios-${version}`)),
]);

const users = [...copies].map((userAxios) => ({ version: userAxios.VERSION, userAxios }));

const secret = 'hunter2';

/** A request that carries a secret wherever one can be. */
const secretRequest: AxiosRequestConfig = {
  method: 'post',
  url: `/orders?token=${secret}#${secret}`,
  params: { apiKey: secret },
  data: { password: secret },
  headers: { Authorization: `Bearer ${secret}`, Cookie: `session=${secret}`, 'X-Api-Key': secret },
  auth: { username: secret, password: secret },
  proxy: { host: 'localhost', port: 1, auth: { username: secret, password: secret } },
};

describe.each(users)('H5 · The open error is recognisable to axios $version', ({ userAxios }) => {
  expectQuietProcess();
  const clock = new ManualClock();
  let rig: Rig;
  const createClient = (url: string) => userAxios.create({ baseURL: url });
  const start = async () => {
    rig = await startRigAround(
      createClient,
      { clock, name: 'shop', consecutiveFailures: 1 },
      userAxios,
    );
    return rig;
  };
  afterEach(() => rig.stop());

  it('is a cancellation, an Error, and an open error, for every copy of axios', async () => {
    const { server, client, breaker } = await start();
    server.script('/down', [503]);
    await outcome(client.get('/down'));
    expect(breaker.getState()).toBe('open');

    const { error } = await outcome(client.get('/orders'));
    for (const { isCancel } of copies) expect(isCancel(error)).toBe(true);
    expect(userAxios.isAxiosError(error)).toBe(true);
    expect(error).toBeInstanceOf(Error);
    expect(isBreakerOpenError(error)).toBe(true);
    expect(error).toMatchObject({
      name: 'BreakerOpenError',
      message: 'Circuit breaker is open',
      code: 'ERR_CANCELED',
      config: { url: '/orders', method: 'get', baseURL: server.url },
      breaker: 'shop',
      key: 'default',
      state: 'open',
      reason: 'consecutive',
      retryAfterMs: 300,
      cause: { message: 'Request failed with status code 503', status: 503 },
    });
    expect(server.hits()).toBe(1);
  });

  it('says in JSON who refused what, and in no log a secret', async () => {
    const { server, client, breaker } = await start();
    server.script('/orders', [503]);
    const baseURL = server.url.replace('//', `//${secret}:${secret}@`);
    // Without the query: axios 1.0.0 makes another path of it.
    await outcome(client.request({ ...secretRequest, url: '/orders', proxy: false }));
    expect(breaker.getState()).toBe('open');

    const { error } = await outcome(client.request({ ...secretRequest, baseURL }));
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'BreakerOpenError',
      message: 'Circuit breaker is open',
      code: 'ERR_CANCELED',
      breaker: 'shop',
      key: 'default',
      state: 'open',
      reason: 'consecutive',
      retryAfterMs: 300,
      method: 'post',
      origin: server.url,
      path: '/orders',
    });
    const { stack, cause } = error as Error;
    const fields = { ...(error as object) };
    const logs = [error, fields, cause].flatMap((value) => [JSON.stringify(value), inspect(value)]);
    expect([...logs, String(error), stack].join('\n')).not.toContain(secret);
    expect(server.hits()).toBe(1);
  });

  it('leaves an error of the server as it is without a breaker, fit for JSON', async () => {
    const { server, client, breaker } = await start();
    server.script('/orders', [503]);
    const plain = await outcome(createClient(server.url).get('/orders'));
    const { error } = await outcome(client.get('/orders'));

    expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, failure: 1, opened: 1 }));
    expect(isBreakerOpenError(error)).toBe(false);
    const configOf = (failed: unknown) =>
      (JSON.parse(JSON.stringify(failed)) as { config?: unknown }).config;
    expect(configOf(error)).toEqual(configOf(plain.error));
    expect(configOf(error)).toMatchObject({ url: '/orders' });
  });

  it.each(['signal', 'cancelToken'] as const)(
    "never is the user's own cancellation, by %s",
    async (way) => {
      const { server, client, breaker } = await start();
      server.script('/silent', [{ behaviour: 'silent' }]);
      const cancellable = () => {
        const controller = new AbortController();
        const source = userAxios.CancelToken.source();
        return way === 'signal'
          ? { config: { signal: controller.signal }, cancel: () => controller.abort() }
          : { config: { cancelToken: source.token }, cancel: () => source.cancel('enough') };
      };
      const expectOwnCancellation = (error: unknown) => {
        expect(userAxios.isCancel(error)).toBe(true);
        expect(isBreakerOpenError(error)).toBe(false);
      };

      const inFlight = cancellable();
      const request = outcome(client.get('/silent', inFlight.config));
      while (server.hits() === 0) await new Promise(setImmediate);
      inFlight.cancel();
      expectOwnCancellation((await request).error);
      expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, ignored: 1 }));

      breaker.open();
      const whileOpen = cancellable();
      whileOpen.cancel();
      expectOwnCancellation((await outcome(client.get('/silent', whileOpen.config))).error);
      expect(breaker.snapshot().counts).toMatchObject({ refused: 0 });
    },
  );
});

// Names are looked up in the axios of the breaker then: one that knows none finds no adapter.
const attachable = users.filter(
  ({ userAxios: { defaults } }) =>
    typeof defaults.adapter === 'function' || typeof axios.getAdapter === 'function',
);

describe.each(attachable)('H5 · A client of axios $version, attached alone', ({ userAxios }) => {
  expectQuietProcess();

  it('is served and refused as one of the axios that the breaker imports', async () => {
    const rig = await startRigAround((url) => userAxios.create({ baseURL: url }));
    const { server, client, breaker } = rig;
    server.script('/', [200]);
    expect((await client.get('/')).status).toBe(200);

    breaker.open();
    const { error } = await outcome(client.get('/'));
    expect(userAxios.isCancel(error)).toBe(true);
    expect(isBreakerOpenError(error)).toBe(true);
    expect(server.hits()).toBe(1);
    await rig.stop();
  });
});
