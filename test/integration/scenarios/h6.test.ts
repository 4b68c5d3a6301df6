import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxiosRequestConfig } from 'axios';
import { isBreakerOpenError, type CircuitBreakerOptions } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import type { TestServer } from '../../../test-server/start.js';
import { describeIf, isAxiosFrom, isLatestAxios } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, startRig, startServer, type Rig } from '../../support/rig.js';
import { inTurn, openWith503 } from '../../support/steps.js';

/** An adapter that answers for every host, and tells which URL it was asked for. */
function answerEverywhere(): Pick<AxiosRequestConfig, 'adapter'> {
  const adapter = (config: AxiosRequestConfig) =>
    Promise.resolve({ status: 200, statusText: 'OK', headers: {}, data: config.url, config });
  return { adapter: adapter as never };
}

describe('H6 · One bad host must not block the others', () => {
  expectQuietProcess();
  let rig: Rig;
  let other: TestServer;
  afterEach(() => rig.stop());

  /** The client's own host has failed, and its circuit is open. */
  async function start(options: CircuitBreakerOptions = {}) {
    other = await startServer();
    other.script('/', [200]);
    other.script('/x', [200]);
    rig = await startRig({ clock: new ManualClock(), ...options });
    await openWith503(rig);
    return rig;
  }

  const isRefused = async (url: string, config?: AxiosRequestConfig) =>
    isBreakerOpenError((await outcome(rig.client.get(url, config))).error);

  it('blocks them where the breaker has one circuit, which is the default', async () => {
    await start();
    expect(await isRefused(`${other.url}/`)).toBe(true);
    expect(await isRefused('/x', { baseURL: other.url })).toBe(true);
    expect(other.hits()).toBe(0);
  });

  describe.each<[string, CircuitBreakerOptions]>([
    ['by origin', { key: 'origin' }],
    [
      'by a function',
      { key: ({ url = '', baseURL }) => new URL(url, baseURL).origin.toUpperCase() },
    ],
  ])('with keys %s', (_title, options) => {
    it.each<[string, (url: string) => [string, AxiosRequestConfig?]]>([
      ['an absolute URL', (url) => [`${url}/`]],
      ['a base URL of its own', (url) => ['/x', { baseURL: url }]],
      ['a scheme in upper case', (url) => [url.replace('http', 'HTTP')]],
      ['params', (url) => [`${url}/x`, { params: { host: 'a', id: Math.random() } }]],
    ])('reaches the other host by %s', async (_way, call) => {
      await start(options);
      expect(await outcome(rig.client.get(...call(other.url)))).toMatchObject({
        value: { status: 200 },
      });
      expect(other.hits()).toBe(1);
      expect(await isRefused('/')).toBe(true);
      expect(await isRefused('/', { params: { url: other.url } })).toBe(true);
      expect(rig.server.hits()).toBe(5);
      expect(rig.breaker.keys()).toHaveLength(2);
    });
  });

  // Before that axios takes every absolute URL.
  describeIf(isAxiosFrom(1, 8))('an absolute URL that is a path', () => {
    it('belongs to the host of the base URL', async () => {
      await start({ key: 'origin' });
      expect(await isRefused(`${other.url}/x`, { allowAbsoluteUrls: false })).toBe(true);
      expect([rig.server.hits(), other.hits()]).toEqual([5, 0]);
    });
  });

  it('takes what is written without a scheme for another host, too', async () => {
    await start({ key: 'origin' });
    expect(await isRefused('//other.example/x', answerEverywhere())).toBe(false);
    expect(rig.breaker.keys()).toEqual([rig.server.url, 'http://other.example']);
  });

  it('takes the many ways to write a host for one', async () => {
    await start({ key: 'origin' });
    const ways = ['http://a.example/', 'HTTP://A.Example:80/x', 'http://me:pw@a.EXAMPLE/?x#y'];
    for (const url of ways) expect(await isRefused(url, answerEverywhere())).toBe(false);
    expect(rig.breaker.keys()).toEqual([rig.server.url, 'http://a.example']);
    rig.breaker.open('http://a.example');
    for (const url of ways) expect(await isRefused(url, answerEverywhere())).toBe(true);
  });

  it('takes a socket for a host of its own', async () => {
    await start({ key: 'origin' });
    const directory = await mkdtemp(join(tmpdir(), 'h6-'));
    const socketPath = join(directory, 'api.sock');
    const server = createServer((_req, res) => res.setHeader('connection', 'close').end('socket'));
    server.listen(socketPath);
    await once(server, 'listening');
    expect((await rig.client.get<string>('/', { socketPath })).data).toBe('socket');
    expect(rig.breaker.keys()).toEqual([rig.server.url, `unix:${socketPath}`]);
    expect(await isRefused('/')).toBe(true);
    server.close();
    await once(server, 'close');
    await rm(directory, { recursive: true });
  });

  it('keeps a bounded number of hosts, the bad one among them', async () => {
    await start({ key: 'origin' });
    const config = answerEverywhere();
    await inTurn(isLatestAxios ? 10_000 : 1_100, (index) =>
      rig.client.get(`http://host-${index}.example/`, config),
    );
    expect(rig.breaker.keys()).toHaveLength(1_000);
    expect(await isRefused('/')).toBe(true);
    expect(rig.faults).toEqual([]);
  });

  it('breaks no call where the key function throws', async () => {
    const error = new Error('no key');
    other = await startServer();
    rig = await startRig({
      key: () => {
        throw error;
      },
    });
    other.script('/', [200]);
    expect((await rig.client.get(other.url)).status).toBe(200);
    expect(rig.breaker.keys()).toEqual(['default']);
    expect(rig.faults).toEqual([{ error, source: 'key' }]);
  });
});
