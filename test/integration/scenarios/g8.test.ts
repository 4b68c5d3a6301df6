import rateLimit from 'axios-rate-limit';
import { isBreakerOpenError, isTimeoutError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { outcome, type Rig } from '../../support/rig.js';
import { counts, times, watch } from '../../support/watch.js';
import { until } from '../../test-server/exchange.js';

describe.each(orders)('G8 · A queue registered %s the breaker', (order) => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  let limiter: rateLimit.RateLimiter;
  let told: string[];
  afterEach(() => rig.stop());

  async function start(perMilliseconds: number) {
    clock = new ManualClock();
    rig = await startRigBeside(
      order,
      (client) => {
        limiter = rateLimit(client, { maxRequests: 1, perMilliseconds });
      },
      { consecutiveFailures: 3, requestTimeout: 100, clock },
    );
    told = watch(rig.breaker);
    return rig;
  }

  const callTogether = (count: number) =>
    times(count, '/').map((path) => outcome(rig.client.get(path)));

  it('sends nothing of what it holds once the breaker has opened', async () => {
    const { server, breaker } = await start(60);
    server.script('/', [503]);
    const outcomes = await Promise.all(callTogether(10));

    // On a busy machine one more may have been on its way by then.
    const sent = server.hits();
    expect(sent === 3 || sent === 4).toBe(true);
    const errors = outcomes.map(({ error }) => error);
    expect(errors.slice(0, sent)).toMatchObject(times(sent, { response: { status: 503 } }));
    expect(errors.slice(sent).map(isBreakerOpenError)).toEqual(times(10 - sent, true));
    expect(told.filter((event) => event.startsWith('OPEN'))).toEqual(['OPEN consecutive 300']);
    expect(breaker.snapshot().counts).toMatchObject({
      admitted: sent,
      failure: sent,
      refused: 10 - sent,
      opened: 1,
    });
  });

  it('takes nothing of the time that a request has, which counts from sending', async () => {
    const { server, breaker } = await start(60_000);
    server.script('/', [200, 200, 200, { behaviour: 'silent' }]);
    const calls = callTogether(4);
    await calls[0];
    clock.advance(10_000);
    expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, success: 1 }));

    limiter.setRateLimitOptions({ maxRequests: 10, perMilliseconds: 1 });
    expect(await Promise.all(calls.slice(0, 3))).toMatchObject(
      times(3, { value: { status: 200 } }),
    );
    await until(() => server.hits() === 4);
    clock.advance(99);
    expect(breaker.snapshot().inFlight).toBe(1);
    clock.advance(1);
    expect(isTimeoutError((await calls[3])?.error)).toBe(true);
    expect(told).toEqual([...times(3, 'SUCCESS'), 'FAILURE']);
  });
});
