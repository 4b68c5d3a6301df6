import { HttpService } from '@nestjs/axios';
import { firstValueFrom, retry, throwError, timeout, timer } from 'rxjs';
import {
  holdUntilClosed,
  isBreakerOpenError,
  isTimeoutError,
  staticFallback,
  type CircuitBreakerOptions,
} from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { arrangements, startArranged } from '../../support/arrangements.js';
import { describeIf, isAxiosFrom } from '../../support/axios-version.js';
import { expectProbeCloses, openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, type Rig } from '../../support/rig.js';
import { counts, times, watch } from '../../support/watch.js';
import { until } from '../../test-server/exchange.js';

// @nestjs/axios 12 wants axios ^1.3.1.
describeIf(isAxiosFrom(1, 4)).each(arrangements)(
  "the HttpService of @nestjs/axios made around the client $arrangement's",
  (arrangement) => {
    expectQuietProcess();
    let clock: ManualClock;
    let http: HttpService;
    let rig: Rig;
    afterEach(() => rig.stop());

    async function start(options: CircuitBreakerOptions = {}) {
      clock = new ManualClock();
      const plugIn = (client: HttpService['axiosRef']) => {
        http = new HttpService(client);
      };
      rig = await startArranged(arrangement, plugIn, { clock, ...options });
      rig.server.script('/silent', [{ behaviour: 'silent' }]);
      return rig;
    }

    const get = (path: string) => outcome(firstValueFrom(http.get<string>(path)));

    /** Unsubscribes once the request is at the server. */
    async function giveUp(isThere = () => rig.server.hits('/silent') === 1) {
      const subscription = http.get('/silent').subscribe({ error: () => undefined });
      await until(isThere);
      subscription.unsubscribe();
      await until(() => rig.breaker.snapshot().inFlight + rig.breaker.snapshot().queued === 0);
    }

    describe('refusals', () => {
      it('are errors of the Observable', async () => {
        const { server, breaker } = await start();
        breaker.open();
        expect(isBreakerOpenError((await get('/')).error)).toBe(true);
        expect(server.hits()).toBe(0);
      });

      it('are tried again by rx retry, each time in vain', async () => {
        const { server, breaker } = await start();
        breaker.open();
        const told = watch(breaker);
        await outcome(firstValueFrom(http.get('/').pipe(retry({ count: 2, delay: 1 }))));
        expect(told).toEqual(times(3, 'REFUSE'));
        expect(server.hits()).toBe(0);
      });

      it('are final where the delay of rx retry says so', async () => {
        const { breaker } = await start();
        breaker.open();
        const told = watch(breaker);
        const delay = (error: unknown) =>
          isBreakerOpenError(error) ? throwError(() => error as Error) : timer(1);
        const { error } = await outcome(
          firstValueFrom(http.get('/').pipe(retry({ count: 2, delay }))),
        );
        expect(isBreakerOpenError(error)).toBe(true);
        expect(told).toEqual(['REFUSE']);
      });
    });

    describe('verdicts', () => {
      it('are one for each subscription', async () => {
        const { server, breaker } = await start();
        const told = watch(breaker);
        server.script('/', [503, 200]);
        const request = http.get('/').pipe(retry({ count: 1, delay: 1 }));
        expect((await firstValueFrom(request)).status).toBe(200);
        await firstValueFrom(request);
        expect(told).toEqual(['FAILURE', 'SUCCESS', 'SUCCESS']);
      });

      it('of a request that nobody subscribes to any more are ignored, and it is aborted', async () => {
        const { server, breaker } = await start();
        const told = watch(breaker);
        await giveUp();
        expect(told).toEqual(['IGNORE']);
        await until(() => server.requests('/silent')[0]?.aborted === true);
      });

      it('leave the slot of a probe that nobody subscribes to any more to the next call', async () => {
        await start(probing);
        await openHalfway(rig, clock);
        await giveUp();
        await expectProbeCloses(rig);
      });

      it('of rx timeout are ignored, too: however many hang, the circuit stays closed', async () => {
        const { breaker } = await start();
        for (const path of times(6, '/silent')) {
          const { error } = await outcome(firstValueFrom(http.get(path).pipe(timeout(10))));
          expect(error).toMatchObject({ name: 'TimeoutError' });
          expect(isTimeoutError(error)).toBe(false);
        }
        await until(() => breaker.snapshot().inFlight === 0);
        expect(breaker.snapshot()).toMatchObject({
          state: 'closed',
          counts: counts({ admitted: 6, ignored: 6 }),
        });
      });

      it('of requestTimeout are failures', async () => {
        const { server, breaker } = await start({ requestTimeout: 10 });
        const call = outcome(firstValueFrom(http.get('/silent').pipe(timeout(20_000))));
        await until(() => server.hits('/silent') === 1);
        clock.advance(10);
        expect(isTimeoutError((await call).error)).toBe(true);
        expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, failure: 1 }));
      });
    });

    describe('fallback answers', () => {
      it('are values of the Observable', async () => {
        const { breaker, server } = await start({
          fallback: staticFallback('instead'),
          fallbackOn: 'failure',
        });
        server.script('/', [503]);
        expect((await get('/')).value).toMatchObject({ data: 'instead', fallback: 'static' });
        breaker.open();
        expect((await get('/')).value).toMatchObject({ data: 'instead', fallback: 'static' });
      });

      it('of holdUntilClosed come later, and not to who has unsubscribed', async () => {
        const { server, breaker } = await start({ fallback: holdUntilClosed() });
        server.script('/', [{ body: 'later' }]);
        breaker.open();
        const held = get('/');
        await until(() => breaker.snapshot().queued === 1);
        const subscription = http.get('/silent').subscribe({ error: () => undefined });
        await until(() => breaker.snapshot().queued === 2);
        subscription.unsubscribe();
        await until(() => breaker.snapshot().queued === 1);
        breaker.close();
        expect((await held).value).toMatchObject({ data: 'later', fallback: 'hold' });
        expect(server.hits()).toBe(1);
      });
    });
  },
);
