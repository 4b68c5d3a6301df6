import axios, { type AxiosRequestConfig } from 'axios';
import { isBreakerOpenError, isTimeoutError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { startTestServer } from '../../../test-server/start.js';
import { isAxiosFrom } from '../../support/axios-version.js';
import { dependantsOf, listenersOf, subscribersOf } from '../../support/leftovers.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, startRig, type Rig } from '../../support/rig.js';
import { senders } from '../../support/senders.js';
import { inTurn } from '../../support/steps.js';
import { counts, times } from '../../support/watch.js';
import { until } from '../../test-server/exchange.js';

const requestTimeout = 100;

describe.each(senders)('F1 · No listener left behind, by $sender', ({ config: sender }) => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  let controller: AbortController;
  let source: ReturnType<typeof axios.CancelToken.source>;
  let shared: AxiosRequestConfig;
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig({ requestTimeout, consecutiveFailures: 1_000, clock }, sender);
    rig.server.script('/silent', [{ behaviour: 'silent' }]);
    controller = new AbortController();
    source = axios.CancelToken.source();
    shared = { signal: controller.signal, cancelToken: source.token };
  });
  afterEach(async () => {
    await rig.stop();
    expectNoneLeft();
  });

  const expectNoneLeft = () => {
    expect(listenersOf(controller.signal)).toBe(0);
    expect(subscribersOf(source.token)).toBe(0);
    expect(dependantsOf(controller.signal)).toBe(0);
  };

  const twenty = async (call: () => Promise<unknown>) =>
    (await inTurn(20, call)).map(({ error }) => error);

  const expectOne = () => {
    expect(listenersOf(controller.signal)).toBe(1);
    expect(subscribersOf(source.token)).toBe(1);
  };

  async function untilSent(path: string): Promise<void> {
    const { server } = rig;
    const hits = server.hits(path);
    await until(() => server.hits(path) > hits);
  }

  it('after 20 successes', async () => {
    await twenty(() => rig.client.get('/status/200', shared));
    expect(rig.breaker.snapshot().counts).toEqual(counts({ admitted: 20, success: 20 }));
  });

  it('after 20 answers of 503', async () => {
    await twenty(() => rig.client.get('/status/503', shared));
    expect(rig.breaker.snapshot().counts).toEqual(counts({ admitted: 20, failure: 20 }));
  });

  it('after 20 connections refused', async () => {
    const gone = await startTestServer();
    await gone.close();
    const errors = await twenty(() => rig.client.get(gone.url, shared));
    for (const error of errors) expect(error).not.toHaveProperty('response.status');
    expect(rig.breaker.snapshot().counts).toEqual(counts({ admitted: 20, failure: 20 }));
  });

  it('after 20 deadlines, though there is one for each call under way', async () => {
    const errors = await twenty(async () => {
      const call = outcome(rig.client.get('/silent', shared));
      await untilSent('/silent');
      expectOne();
      clock.advance(requestTimeout);
      throw (await call).error as Error;
    });
    expect(errors.map(isTimeoutError)).toEqual(times(20, true));
    expect(rig.breaker.snapshot().counts).toEqual(counts({ admitted: 20, failure: 20 }));
  });

  it('after 20 refusals', async () => {
    rig.breaker.open();
    const errors = await twenty(() => rig.client.get('/status/200', shared));
    expect(errors.map(isBreakerOpenError)).toEqual(times(20, true));
    expect(rig.server.hits()).toBe(0);
  });

  it('after 20 calls that were aborted before they started', async () => {
    controller.abort();
    source.cancel();
    const errors = await twenty(() => rig.client.get('/status/200', shared));
    expect(errors.map(axios.isCancel)).toEqual(times(20, true));
    expect(rig.server.hits()).toBe(0);
    const { success, failure } = rig.breaker.snapshot().counts;
    expect([success, failure]).toEqual([0, 0]);
  });

  it.each([
    // Node warns of the eleventh listener, whoever put it there.
    { means: 'signal', count: 10 },
    // A token of axios 0.27 stumbles over the second subscriber that leaves when it is told.
    { means: 'token', count: isAxiosFrom(0, 28) ? 10 : 1 },
  ])('after $count calls under way that one $means ended', async ({ means, count }) => {
    const calls = Array.from({ length: count }, () => outcome(rig.client.get('/silent', shared)));
    await until(() => rig.server.hits('/silent') === count);
    if (means === 'signal') controller.abort();
    else source.cancel();
    const errors = (await Promise.all(calls)).map(({ error }) => error);
    expect(errors.map(axios.isCancel)).toEqual(times(count, true));
    expect(rig.breaker.snapshot().counts).toEqual(counts({ admitted: count, ignored: count }));
  });

  // What is left is left by each call: a few by fetch, which is slow, show it as well.
  const rounds = sender.adapter === 'fetch' ? 10 : 100;

  it(`after ${10 * rounds} successes, which leave no follower on the signal either`, async () => {
    const { signal } = new AbortController();
    AbortSignal.any([signal]);
    expect(dependantsOf(signal)).toBe(1);

    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => rig.client.get('/status/200', shared)));
    }
    expect(rig.breaker.snapshot().counts.success).toBe(10 * rounds);
  });
});

describe.each(senders)('F1 · No listener left behind by probes, by $sender', ({ config }) => {
  expectQuietProcess();

  it('after 20 probes that have no deadline but their lease', async () => {
    const clock = new ManualClock();
    const rig = await startRig({ consecutiveFailures: 1, halfOpen: {}, clock }, config);
    const { client, breaker } = rig;
    const { signal } = new AbortController();

    await inTurn(20, async () => {
      await outcome(client.get('/status/503'));
      clock.advance(300);
      expect(breaker.getState()).toBe('half-open');
      await client.get('/status/200', { signal });
    });
    expect(breaker.snapshot().counts).toMatchObject({ success: 20, failure: 20, opened: 20 });
    expect(listenersOf(signal)).toBe(0);
    await rig.stop();
  });
});
