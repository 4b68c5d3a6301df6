/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node"]}
 */
import axios, { type AxiosInstance, type AxiosRequestConfig } from 'axios';
import { isTimeoutError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { subscribersOf } from '../../support/leftovers.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { startRig, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { times } from '../../support/watch.js';
import { until } from '../../test-server/exchange.js';

const requestTimeout = 100;

/** A signal and a token, and how many listen to them; Node cannot tell of the signals of jsdom. */
function createShared() {
  const { signal } = new AbortController();
  const { token } = axios.CancelToken.source();
  const added = jest.spyOn(signal, 'addEventListener');
  const removed = jest.spyOn(signal, 'removeEventListener');
  const listeners = () => {
    const left = added.mock.calls.map(([, listener]) => listener);
    for (const [, listener] of removed.mock.calls) {
      const index = left.indexOf(listener);
      if (index >= 0) left.splice(index, 1);
    }
    return left.length;
  };
  const config: AxiosRequestConfig = { signal, cancelToken: token };
  return { config, added, listeners, subscribers: () => subscribersOf(token) };
}

describe('F1 · No listener left behind: a call by xhr', () => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  let bare: AxiosInstance;
  beforeEach(async () => {
    // jsdom logs what the network does.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    clock = new ManualClock();
    rig = await startRig({ requestTimeout, consecutiveFailures: 1_000, clock });
    bare = axios.create({ baseURL: rig.server.url });
    // A page in jsdom is of another origin.
    const headers = { 'access-control-allow-origin': '*' };
    rig.server.script('/up', [{ headers }]);
    rig.server.script('/down', [{ status: 503, headers }]);
    rig.server.script('/broken', [{ behaviour: 'reset' }]);
    rig.server.script('/silent', [{ behaviour: 'silent' }]);
  });
  afterEach(async () => {
    await rig.stop();
    jest.restoreAllMocks();
  });

  it.each([
    { ending: 'successes', path: '/up', timeout: 0 },
    { ending: '503s', path: '/down', timeout: 0 },
    { ending: 'network errors', path: '/broken', timeout: 0 },
    { ending: 'timeouts of axios', path: '/silent', timeout: 5 },
  ])('leaves no more than axios itself does, after 20 $ending', async ({ path, timeout }) => {
    const guarded = createShared();
    const unguarded = createShared();
    await inTurn(20, () => rig.client.get(path, { ...guarded.config, timeout }));
    await inTurn(20, () => bare.get(path, { ...unguarded.config, timeout }));

    expect(guarded.added).toHaveBeenCalledTimes(20);
    expect(guarded.listeners()).toBe(0);
    expect(guarded.subscribers()).toBe(unguarded.subscribers());
  });

  it('leaves no more after 20 deadlines than axios itself does after 20 aborts', async () => {
    const untilSent = async () => {
      const hits = rig.server.hits();
      await until(() => rig.server.hits() > hits);
    };
    const guarded = createShared();
    const outcomes = await inTurn(20, async () => {
      const call = rig.client.get('/silent', guarded.config);
      await untilSent();
      clock.advance(requestTimeout);
      return call;
    });
    const unguarded = createShared();
    await inTurn(20, async () => {
      const controller = new AbortController();
      const call = bare.get('/silent', { ...unguarded.config, signal: controller.signal });
      await untilSent();
      controller.abort();
      return call;
    });

    expect(outcomes.map(({ error }) => isTimeoutError(error))).toEqual(times(20, true));
    expect(guarded.added).toHaveBeenCalledTimes(20);
    expect(guarded.listeners()).toBe(0);
    expect(guarded.subscribers()).toBe(unguarded.subscribers());
  });
});
