import axios, { type AxiosAdapter, type AxiosRequestConfig } from 'axios';
import { isBreakerOpenError, isTimeoutError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { describeIf, isAxiosFrom, isLatestAxios } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, sleep, startRig, type Rig } from '../../support/rig.js';
import { senders } from '../../support/senders.js';
import { counts, times, watch } from '../../support/watch.js';
import { wireAdapter } from '../../support/wire.js';
import { until } from '../../test-server/exchange.js';

interface Settled {
  readonly config?: AxiosRequestConfig;
  readonly response?: { readonly config: AxiosRequestConfig };
}

const requestTimeout = 100;

const given = [
  { title: 'one', own: new AbortController().signal },
  { title: 'none', own: undefined },
];

const untilAborted = ({ server }: Rig, path: string, requests = 1) =>
  until(() => server.requests(path).filter(({ aborted }) => aborted).length === requests);

const end = [...times(5, 'FAILURE'), 'OPEN consecutive 60000'];

describe.each(senders)('F3 · Call timeout stops the wire, by $sender', ({ config: sender }) => {
  expectQuietProcess();
  let rig: Rig;
  let told: string[];
  afterEach(async () => {
    rig.breaker.detach();
    await rig.stop();
  });

  async function start(clock?: ManualClock) {
    rig = await startRig({ requestTimeout, cooldown: 60_000, clock }, sender);
    told = watch(rig.breaker);
    return rig;
  }

  it('and counts once', async () => {
    const clock = new ManualClock();
    const { server, client, breaker } = await start(clock);
    server.script('/', [{ behaviour: 'silent' }]);
    const calls = times(5, '/').map((path) => outcome(client.get(path)));
    await until(() => server.hits('/') === 5);
    clock.advance(requestTimeout - 1);
    expect(breaker.snapshot().inFlight).toBe(5);
    clock.advance(1);
    for (const { error } of await Promise.all(calls)) {
      expect(isTimeoutError(error)).toBe(true);
      expect(error).toMatchObject({ code: 'ETIMEDOUT', message: 'timeout of 100ms exceeded' });
      expect(axios.isAxiosError(error)).toBe(true);
      expect(axios.isCancel(error)).toBe(false);
      expect(isBreakerOpenError(error)).toBe(false);
    }
    await untilAborted(rig, '/', 5);
    expect(told).toEqual(end);
    expect(breaker.snapshot().counts).toEqual(counts({ admitted: 5, failure: 5, opened: 1 }));
  });

  // Time is the same on every axios.
  describeIf(isLatestAxios)('in real time', () => {
    it('and nothing comes after it when the server would have answered', async () => {
      const { server, client, breaker } = await start();
      server.script('/', [{ status: 503, delay: 400 }]);

      const began = performance.now();
      await Promise.all(times(5, '/').map((path) => outcome(client.get(path))));
      expect(performance.now() - began).toBeGreaterThanOrEqual(requestTimeout);
      expect(performance.now() - began).toBeLessThan(15 * requestTimeout);
      await untilAborted(rig, '/', 5);
      expect(told).toEqual(end);

      await sleep(Math.max(0, began + 450 - performance.now()));
      expect(told).toEqual(end);
      expect(server.hits()).toBe(5);
      expect(breaker.snapshot().counts).toEqual(counts({ admitted: 5, failure: 5, opened: 1 }));
    });
  });

  it("unless the request's own timeout is the shorter one", async () => {
    const { server, client } = await start();
    server.script('/', [{ behaviour: 'silent' }]);
    const { error } = await outcome(client.get('/', { timeout: 50 }));
    const code = sender.adapter === 'fetch' ? 'ETIMEDOUT' : 'ECONNABORTED';
    expect(isTimeoutError(error)).toBe(false);
    expect(error).toMatchObject({ code });
    // A busy machine may not even have sent it.
    await until(() => server.requests('/').every(({ aborted }) => aborted));
    await sleep(requestTimeout);
    expect(told).toEqual(['FAILURE']);
  });
});

describe.each(senders)('F3 · Under a call timeout, by $sender', ({ config: sender }) => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  let told: string[];
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig({ requestTimeout, clock }, sender);
    told = watch(rig.breaker);
    rig.server.script('/silent', [{ behaviour: 'silent' }]);
  });
  afterEach(() => rig.stop());

  async function sendToSilence(config: AxiosRequestConfig | undefined) {
    const call = outcome(rig.client.get('/silent', config));
    await until(() => rig.server.hits('/silent') === 1);
    return { end: () => call };
  }

  it.each([
    ['that is silent', { behaviour: 'silent' }, '/'],
    ['that drips its body', { behaviour: 'drip', dripEvery: 10, dripChunks: 300 }, '/'],
    ['that stops in the middle of its body', { behaviour: 'silent-body' }, '/'],
    ['that it was redirected to', { behaviour: 'silent' }, '/moved'],
  ] as const)('a request is cut from a server %s', async (_title, answer, path) => {
    const { server, client } = rig;
    server.script('/moved', [{ status: 302, headers: { location: '/' } }]);
    server.script('/', [answer]);
    const call = outcome(client.get(path, { timeout: 20_000 }));
    await until(() => server.hits('/') === 1);
    // Time for the headers to come in, where there are some.
    await sleep(20);
    clock.advance(requestTimeout);
    expect(isTimeoutError((await call).error)).toBe(true);
    await untilAborted(rig, '/');
    expect(told).toEqual(['FAILURE']);
  });

  it.each(['signal', 'token'])(
    "the caller's %s still cancels, as without a breaker, which is nobody's failure",
    async (means) => {
      const bare = axios.create({ baseURL: rig.server.url, ...sender });
      const errors = [];
      for (const [index, client] of [bare, rig.client].entries()) {
        const controller = new AbortController();
        const source = axios.CancelToken.source();
        const { signal } = controller;
        const config = means === 'signal' ? { signal } : { cancelToken: source.token };
        const call = outcome(client.get('/silent', config));
        await until(() => rig.server.hits() === index + 1);
        clock.advance(requestTimeout - 1);
        if (means === 'signal') controller.abort();
        else source.cancel('enough');
        errors.push((await call).error);
      }

      const [expected, error] = errors as Error[];
      expect(axios.isCancel(error)).toBe(true);
      expect(isTimeoutError(error)).toBe(false);
      expect(error?.message).toEqual(expected?.message);
      expect(error).toMatchObject({ name: expected?.name, code: 'ERR_CANCELED' });
      await untilAborted(rig, '/silent', 2);
      clock.advance(requestTimeout);
      expect(told).toEqual(['IGNORE']);
      expect(rig.breaker.snapshot().counts).toEqual(counts({ admitted: 1, ignored: 1 }));
    },
  );

  it("a deadline that the caller's own signal keeps is a timeout as before", async () => {
    const controller = new AbortController();
    const { end } = await sendToSilence({ signal: controller.signal });
    // As AbortSignal.timeout does it, after however long.
    controller.abort(new DOMException('too late', 'TimeoutError'));
    const { error } = await end();
    expect(axios.isCancel(error)).toBe(true);
    await untilAborted(rig, '/silent');
    expect(told).toEqual(['FAILURE']);
  });

  it.each(given)(
    "what stands on every config that comes back is the caller's own signal: $title",
    async ({ own }) => {
      const { client } = rig;
      const config = own && { signal: own };
      const success = await client.get('/status/200', config);
      expect([success.config.url, success.config.signal]).toEqual(['/status/200', own]);
      const { error } = await outcome(client.get('/status/503', config));
      const bad = error as Required<Settled>;
      expect([bad.config.url, bad.config.signal]).toEqual(['/status/503', own]);
      expect([bad.response.config.url, bad.response.config.signal]).toEqual(['/status/503', own]);
      for (const { signal } of [success.config, bad.config, bad.response.config]) {
        expect(signal).toBe(own);
      }
    },
  );

  it.each(given)(
    'what stands on the config of the error of a deadline is it, too: $title',
    async ({ own }) => {
      const { end } = await sendToSilence(own && { signal: own });
      clock.advance(requestTimeout);
      const { config } = (await end()).error as Settled;
      expect(config).toMatchObject({ url: '/silent' });
      expect(config?.signal).toBe(own);
      expect(own?.aborted).not.toBe(true);
      await untilAborted(rig, '/silent');
    },
  );

  it('what stands on the config of the error of an abort is it, too', async () => {
    const controller = new AbortController();
    const { end } = await sendToSilence({ signal: controller.signal });
    controller.abort();
    const { config } = (await end()).error as Settled;
    // Axios 0.27 puts no config on it.
    expect(config?.signal).toBe(isAxiosFrom(0, 28) ? controller.signal : undefined);
  });
});

describe('F3 · A deadline that passes while the answer is being delivered', () => {
  expectQuietProcess();

  /** Rounds of microtasks between the answer at the wire and the deadline. */
  it.each([0, 1, 2, 3, 4, 5, 6, 8, 12])(
    'wins or loses as a whole: %d microtasks after the answer',
    async (rounds) => {
      const clock = new ManualClock();
      const adapter: AxiosAdapter = async (config) => {
        const answer = await wireAdapter(config);
        let moment = Promise.resolve();
        for (let round = 0; round < rounds; round += 1) moment = moment.then(() => undefined);
        void moment.then(() => clock.advance(requestTimeout));
        return answer;
      };
      const rig = await startRig({ requestTimeout, clock }, { adapter });
      const told = watch(rig.breaker);

      const { value, error } = await outcome(rig.client.get('/status/200'));
      await sleep(1);
      expect(clock.now()).toBe(requestTimeout);
      const { status } = (value ?? {}) as { status?: number };
      expect({ status, isTimeout: isTimeoutError(error), told }).toEqual(
        error === undefined
          ? { status: 200, isTimeout: false, told: ['SUCCESS'] }
          : { status: undefined, isTimeout: true, told: ['FAILURE'] },
      );
      await rig.stop();
    },
  );
});
