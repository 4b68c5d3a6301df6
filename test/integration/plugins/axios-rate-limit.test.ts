import rateLimit from 'axios-rate-limit';
import {
  holdUntilClosed,
  isBreakerOpenError,
  staticFallback,
  type CircuitBreakerOptions,
} from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { arrangements, startArranged } from '../../support/arrangements.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, type Rig } from '../../support/rig.js';
import { counts, times, watch } from '../../support/watch.js';
import { until } from '../../test-server/exchange.js';

describe.each(arrangements)('axios-rate-limit registered $arrangement', (arrangement) => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  let limiter: rateLimit.RateLimiter;
  afterEach(() => {
    letAllGo();
    return rig.stop();
  });

  /** One request a minute. */
  async function start(options: CircuitBreakerOptions = {}) {
    clock = new ManualClock();
    const plugIn = (client: Parameters<typeof rateLimit>[0]) => {
      limiter = rateLimit(client, { maxRequests: 1, perMilliseconds: 60_000 });
    };
    rig = await startArranged(arrangement, plugIn, { clock, ...options });
    return rig;
  }

  function letAllGo() {
    limiter.setRateLimitOptions({ maxRequests: 100, perMilliseconds: 1 });
  }

  const askTogether = (count: number) =>
    times(count, '/').map((path) => outcome(rig.client.get(path)));

  describe('refusals', () => {
    it('come when the queue lets the request go, and take a place of it', async () => {
      const { server, breaker } = await start();
      const told = watch(breaker);
      breaker.open();

      const [first, second] = askTogether(2);
      expect(isBreakerOpenError((await first)?.error)).toBe(true);
      expect(told).toEqual(['OPEN manual Infinity', 'REFUSE']);
      expect(limiter.getQueue().length).toBe(1);
      letAllGo();
      expect(isBreakerOpenError((await second)?.error)).toBe(true);
      expect(server.hits()).toBe(0);
    });
  });

  describe('verdicts', () => {
    it('are of what was sent: what waits in the queue is neither in flight nor counted', async () => {
      const { server, breaker } = await start();
      server.script('/', [200]);
      const calls = askTogether(3);
      await calls[0];
      expect(breaker.snapshot()).toMatchObject({
        inFlight: 0,
        counts: counts({ admitted: 1, success: 1 }),
      });
      letAllGo();
      await Promise.all(calls);
      expect(breaker.snapshot().counts).toEqual(counts({ admitted: 3, success: 3 }));
    });

    it('decide about what waits in the queue: nothing of it is sent once the circuit is open', async () => {
      const { server, breaker } = await start({ consecutiveFailures: 1 });
      server.script('/', [503]);
      const calls = askTogether(4);
      await calls[0];
      expect(breaker.getState()).toBe('open');
      letAllGo();
      for (const { error } of (await Promise.all(calls)).slice(1)) {
        expect(isBreakerOpenError(error)).toBe(true);
      }
      expect(server.hits()).toBe(1);
    });
  });

  describe('fallback answers', () => {
    it('come when the queue lets the request go', async () => {
      const { breaker } = await start({ fallback: staticFallback('instead') });
      breaker.open();
      const [first, second] = askTogether(2);
      expect((await first)?.value).toMatchObject({ data: 'instead' });
      letAllGo();
      expect((await second)?.value).toMatchObject({ data: 'instead' });
    });

    it('come after the queue from holdUntilClosed, which does not queue again', async () => {
      const { server, breaker } = await start({ fallback: holdUntilClosed() });
      server.script('/', [{ body: 'later' }]);
      breaker.open();
      const [first] = askTogether(1);
      await until(() => breaker.snapshot().queued === 1);
      breaker.close();
      expect((await first)?.value).toMatchObject({ data: 'later', fallback: 'hold' });
      expect(server.hits()).toBe(1);
    });
  });
});
