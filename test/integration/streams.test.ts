import type { Readable } from 'node:stream';
import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { isTimeoutError } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';
import type { Answer } from '../../test-server/answer.js';
import { isAxiosFrom } from '../support/axios-version.js';
import { listenersOf } from '../support/leftovers.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { outcome, sleep, startRig, type Rig } from '../support/rig.js';
import { senders } from '../support/senders.js';
import { watch } from '../support/watch.js';
import { until } from '../test-server/exchange.js';

type Body = Readable | ReadableStream<Uint8Array>;

const requestTimeout = 100;
const text = 'The quick brown fox jumps over the lazy dog.';
const dripping: Answer = { body: text, behaviour: 'drip', dripEvery: 2, dripChunks: 20 };

/** The response as a stream, whatever its status. */
async function open(
  client: AxiosInstance,
  path: string,
  config: AxiosRequestConfig,
): Promise<AxiosResponse<Body>> {
  const { value, error } = await outcome(client.get(path, { ...config, responseType: 'stream' }));
  return (value ?? (error as { response: unknown }).response) as AxiosResponse<Body>;
}

/** Reads on until the stream ends, well or badly. */
async function read(body: Body, onChunk: () => void = () => undefined) {
  let received = '';
  const reading = async () => {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      received += Buffer.from(chunk).toString();
      onChunk();
    }
  };
  const { error } = await outcome(reading());
  const { name, code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return { isWhole: received === text, hasFailed: error !== undefined, name, code, message };
}

function giveUp(body: Body): void {
  if ('destroy' in body) body.destroy();
  // Axios waits for the next chunk before it cancels, and to cancel a stream that has failed fails, too.
  else void outcome(body.cancel());
}

describe.each(senders)('a response as a stream, by $sender', ({ config: sender }) => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  let told: string[];
  let signal: AbortSignal;
  let abort: () => void;
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig({ requestTimeout, clock }, sender);
    told = watch(rig.breaker);
    const controller = new AbortController();
    signal = controller.signal;
    abort = () => controller.abort();
    rig.server.script('/up', [dripping]);
    rig.server.script('/down', [{ ...dripping, status: 503 }]);
    rig.server.script('/cut', [{ body: text, behaviour: 'cut' }]);
    rig.server.script('/stuck', [{ body: text, behaviour: 'silent-body' }]);
    rig.server.script('/silent', [{ behaviour: 'silent' }]);
  });
  afterEach(() => rig.stop());

  it.each([
    { path: '/up', verdict: 'SUCCESS' },
    { path: '/down', verdict: 'FAILURE' },
  ])(
    'is judged at its headers, and is not cut by the deadline while it is read ($verdict)',
    async ({ path, verdict }) => {
      const { data } = await open(rig.client, path, { signal });
      expect(told).toEqual([verdict]);
      expect(rig.breaker.snapshot().inFlight).toBe(0);
      expect(rig.server.requests()[0]?.closedAt).toBeUndefined();

      clock.advance(10 * requestTimeout);
      expect(await read(data)).toMatchObject({ isWhole: true, hasFailed: false });
      await until(() => rig.server.requests()[0]?.closedAt !== undefined);
      expect(rig.server.requests()[0]?.aborted).toBe(false);
      expect(told).toEqual([verdict]);
    },
  );

  it('must have its headers in time', async () => {
    const call = outcome(rig.client.get('/silent', { responseType: 'stream', signal }));
    await until(() => rig.server.hits('/silent') === 1);
    clock.advance(requestTimeout);
    expect(isTimeoutError((await call).error)).toBe(true);
    await until(() => rig.server.requests()[0]?.aborted === true);
    expect(told).toEqual(['FAILURE']);
    expect(listenersOf(signal)).toBe(0);
  });

  it('outlives the lease of the probe that it is, which has passed', async () => {
    const probing = await startRig(
      { consecutiveFailures: 1, halfOpen: { lease: 50 }, clock },
      sender,
    );
    const { server, client, breaker } = probing;
    server.script('/', [503, dripping]);
    await outcome(client.get('/'));
    clock.advance(300);
    expect(breaker.getState()).toBe('half-open');

    const { data } = await open(client, '/', { signal });
    expect(breaker.getState()).toBe('closed');
    clock.advance(1_000);
    expect(await read(data)).toMatchObject({ isWhole: true, hasFailed: false });
    expect(listenersOf(signal)).toBe(0);
    await probing.stop();
  });

  it.each([
    { means: 'signal', path: '/up' },
    { means: 'signal', path: '/down' },
    { means: 'token', path: '/up' },
    { means: 'token', path: '/down' },
  ])(
    'is ended by the $means of its caller as it is without a breaker ($path)',
    async ({ means, path }) => {
      const bare = axios.create({ baseURL: rig.server.url, ...sender });
      const ends = [];
      for (const client of [bare, rig.client]) {
        const controller = new AbortController();
        const source = axios.CancelToken.source();
        const { data } = await open(client, path, {
          signal: controller.signal,
          cancelToken: source.token,
        });
        const cancel =
          means === 'signal' ? () => controller.abort() : () => source.cancel('enough');
        ends.push(await read(data, cancel));
        await until(() => listenersOf(controller.signal) === 0);
      }
      expect(ends[1]).toEqual(ends[0]);
      // Axios lets go of the signal where it rejects, and axios 0.x at any headers.
      expect(ends[0]?.hasFailed).toBe(path === '/up' && isAxiosFrom(1, 0));
      expect(told).toHaveLength(1);
    },
  );

  describe('leaves no listener on the signal of its caller', () => {
    // A stream is closed a little after its end.
    const expectNoListener = () => until(() => listenersOf(signal) === 0);

    it.each(['/up', '/down'])('once it has ended (%s)', async (path) => {
      const { data } = await open(rig.client, path, { signal });
      expect(await read(data)).toMatchObject({ isWhole: true });
      await expectNoListener();
    });

    it.each(['/up', '/down'])('once its reader gives up (%s)', async (path) => {
      const { data } = await open(rig.client, path, { signal });
      giveUp(data);
      await until(() => rig.server.requests()[0]?.aborted === true);
      await expectNoListener();
    });

    it('once its reader gives up without having read what is there', async () => {
      const { data } = await open(rig.client, '/stuck', { signal });
      await sleep(50);
      giveUp(data);
      await expectNoListener();
    });

    it('once the server has cut it', async () => {
      const { data } = await open(rig.client, '/cut', { signal });
      expect(await read(data)).toMatchObject({ isWhole: false, hasFailed: true });
      await expectNoListener();
    });

    it('once it was aborted while nobody read', async () => {
      const { data } = await open(rig.client, '/stuck', { signal });
      abort();
      await expectNoListener();
      giveUp(data);
    });
  });
});
