import {
  isBreakerOpenError,
  isTimeoutError,
  type CircuitBreakerWithEmitter,
} from '../../src/index.js';
import { describeIf, isLatestAxios } from '../support/axios-version.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { outcome, sleep, startRig, type Rig } from '../support/rig.js';
import { until } from '../test-server/exchange.js';

/** A twentieth of the story's times: there a request takes 8 s at once, and may take 3 s. */
const well = { delay: 5 };
const slow = { delay: 400 };
const requestTimeout = 150;
const windowDuration = 500;

/** A request every 10 ms, whatever becomes of the ones before it. */
function startTraffic({ client }: Rig) {
  const calls: Promise<{ readonly error: unknown; readonly ms: number }>[] = [];
  const send = async () => {
    const start = performance.now();
    const { error } = await outcome(client.get('/'));
    return { error, ms: performance.now() - start };
  };
  const timer = setInterval(() => calls.push(send()), 10);
  return { calls, stop: () => clearInterval(timer) };
}

interface Moment {
  readonly hits: number;
  readonly admitted: number;
  readonly verdicts: readonly { readonly name: string; readonly at: number }[];
}

/** What had happened by each transition. */
function recordMoments(breaker: CircuitBreakerWithEmitter, hits: () => number): Moment[] {
  const verdicts: Moment['verdicts'][number][] = [];
  const moments: Moment[] = [];
  for (const name of ['SUCCESS', 'FAILURE'] as const) {
    breaker.on(name, () => verdicts.push({ name, at: performance.now() }));
  }
  for (const name of ['OPEN', 'HALF_OPEN', 'CLOSE'] as const) {
    breaker.on(name, () => {
      const { admitted } = breaker.snapshot().counts;
      moments.push({ hits: hits(), admitted, verdicts: [...verdicts] });
    });
  }
  return moments;
}

/** How many ended so within that share of the window, as of the last of them. */
function count(name: string, verdicts: Moment['verdicts'], share: number): number {
  const since = (verdicts.at(-1)?.at ?? 0) - share * windowDuration;
  return verdicts.filter((verdict) => verdict.name === name && verdict.at > since).length;
}

// What differs between versions of axios, the scenarios show: once is enough.
describeIf(isLatestAxios)('a dependency that turns slow', () => {
  expectQuietProcess();

  let rig: Rig;
  let traffic: ReturnType<typeof startTraffic>;
  beforeEach(async () => {
    rig = await startRig({
      consecutiveFailures: undefined,
      failureThreshold: 0.5,
      halfOpen: undefined,
      requestTimeout,
      windowDuration,
      cooldown: 200,
    });
    rig.server.script('/', [well]);
    traffic = startTraffic(rig);
  });
  afterEach(async () => {
    traffic.stop();
    await Promise.all(traffic.calls);
    await rig.stop();
  });

  it('is left alone once the window says so, and is used again once a single probe says so', async () => {
    const { server, breaker, transitions } = rig;
    const moments = recordMoments(breaker, () => server.hits('/'));
    const reasons: string[] = [];
    breaker.on('OPEN', ({ reason }) => reasons.push(reason));

    await sleep(300);
    expect(transitions).toEqual([]);
    server.script('/', [slow]);
    await until(() => transitions.length === 3);
    server.script('/', [well]);
    await until(() => transitions.length === 5);
    const sentByThen = traffic.calls.length;
    await until(() => traffic.calls.length === sentByThen + 20);
    traffic.stop();
    const ended = await Promise.all(traffic.calls);

    expect(transitions).toEqual(['OPEN', 'HALF_OPEN', 'OPEN', 'HALF_OPEN', 'CLOSE']);
    expect(reasons).toEqual(['failure-rate', 'probe-failed']);
    const [opened, halfOpened, reopened, halfOpenedAgain, closed] = moments as [
      Moment,
      Moment,
      Moment,
      Moment,
      Moment,
    ];

    // As many failures as successes at the last verdict, and not yet at the one before it. The window
    // is up to a bucket shorter than it is said to be.
    const atLast = opened.verdicts;
    const before = opened.verdicts.slice(0, -1);
    expect(count('FAILURE', atLast, 1.02)).toBeGreaterThanOrEqual(count('SUCCESS', atLast, 0.88));
    expect(count('FAILURE', before, 0.88)).toBeLessThan(count('SUCCESS', before, 1.02));

    expect(reopened.admitted).toBe(opened.admitted + 1);
    expect(closed.admitted).toBe(opened.admitted + 2);
    expect(reopened.hits - halfOpened.hits).toBe(1);
    expect(halfOpenedAgain.hits).toBe(reopened.hits);
    expect(closed.hits - halfOpenedAgain.hits).toBe(1);

    const errors = ended.filter(({ error }) => error !== undefined);
    const refusals = errors.filter(({ error }) => isBreakerOpenError(error));
    const timeouts = errors.filter(({ error }) => isTimeoutError(error));
    expect(refusals.length + timeouts.length).toBe(errors.length);
    // None but those that were on their way when it opened, and a probe.
    const healthy = opened.verdicts.filter(({ name }) => name === 'SUCCESS').length;
    expect(timeouts.length).toBeLessThanOrEqual(opened.admitted - healthy + 1);
    expect(Math.min(...timeouts.map(({ ms }) => ms))).toBeGreaterThanOrEqual(requestTimeout);
    expect(Math.max(...refusals.map(({ ms }) => ms))).toBeLessThan(100);
    expect(refusals.length).toBeGreaterThan(20);

    expect(ended.slice(sentByThen).filter(({ error }) => isBreakerOpenError(error))).toEqual([]);
    expect(server.hits('/')).toBeGreaterThanOrEqual(closed.hits + 20);
  });
});
