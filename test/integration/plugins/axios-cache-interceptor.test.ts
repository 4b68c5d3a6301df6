import { setupCache, type CacheOptions } from 'axios-cache-interceptor';
import {
  degrade,
  fallbackResponse,
  isBreakerOpenError,
  staticFallback,
  type CircuitBreakerOptions,
} from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { arrangements, startArranged } from '../../support/arrangements.js';
import { describeIf, isAxiosFrom } from '../../support/axios-version.js';
import { openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, sleep, type Rig } from '../../support/rig.js';
import { counts, times, watch } from '../../support/watch.js';

// axios-cache-interceptor 1.12.3 wants axios ^1.19.0.
describeIf(isAxiosFrom(1, 19)).each(arrangements)(
  'axios-cache-interceptor registered $arrangement',
  (arrangement) => {
    expectQuietProcess();
    const { asksFirst, order } = arrangement;
    let clock: ManualClock;
    let rig: Rig;
    beforeEach(() => (clock = new ManualClock()));
    afterEach(() => rig.stop());

    async function start(options: CircuitBreakerOptions = {}, cache: CacheOptions = {}) {
      rig = await startArranged(arrangement, (client) => void setupCache(client, cache), {
        clock,
        ...options,
      });
      return rig;
    }

    describe('refusals', () => {
      it('leave no trace in the cache: the next answer is asked for, and kept', async () => {
        const { server, client, breaker } = await start();
        server.script('/', [{ body: 'fresh' }]);

        breaker.open();
        for (const { error } of await Promise.all(
          times(3, '/').map((path) => outcome(client.get(path))),
        ))
          expect(isBreakerOpenError(error)).toBe(true);
        breaker.close();
        expect((await client.get('/')).data).toBe('fresh');
        expect((await client.get('/')).data).toBe('fresh');
        expect(server.hits()).toBe(1);
      });

      it('become the stale answer, where the cache has one', async () => {
        const { server, client, breaker } = await start({}, { interpretHeader: false, ttl: 1 });
        server.script('/', [{ body: 'old', headers: { etag: '"1"' } }]);
        await client.get('/');
        await sleep(5);

        breaker.open();
        expect(await client.get('/')).toMatchObject({ data: 'old', cached: true, stale: true });
        expect(breaker.snapshot().counts).toMatchObject({ admitted: 1, refused: 1 });
        expect(server.hits()).toBe(1);
      });
    });

    describe('cache hits', () => {
      it(`are ${asksFirst ? 'refused' : 'answered'} while the circuit is open`, async () => {
        const { server, client, breaker } = await start();
        server.script('/', [{ body: 'kept' }]);
        await client.get('/');
        breaker.open();

        const { value, error } = await outcome(client.get('/'));
        expect(isBreakerOpenError(error)).toBe(asksFirst);
        const { cached } = (value ?? {}) as { cached?: boolean };
        expect(cached).toBe(asksFirst ? undefined : true);
        expect(breaker.snapshot().counts.refused).toBe(asksFirst ? 1 : 0);
        expect(server.hits()).toBe(1);
      });

      it('never close a circuit that is half-open', async () => {
        const { server, client, breaker } = await start(probing);
        server.script('/', [{ body: 'kept' }]);
        await client.get('/');
        await openHalfway(rig, clock);

        expect(await client.get('/')).toMatchObject({ data: 'kept', cached: true });
        expect(breaker.snapshot()).toMatchObject({ state: 'half-open', inFlight: 0 });
        expect(server.hits('/')).toBe(1);
      });
    });

    describe('verdicts', () => {
      it('are of exchanges alone: a cache hit is none, or an ignored one', async () => {
        const { server, client, breaker } = await start();
        const told = watch(breaker);
        server.script('/', [200]);

        await client.get('/');
        await client.get('/');
        expect(told).toEqual(asksFirst ? ['SUCCESS', 'IGNORE'] : ['SUCCESS']);
        expect(server.hits()).toBe(1);
      });

      it('are one for all that wait for the same answer', async () => {
        const { server, client, breaker } = await start();
        server.script('/', [{ delay: 20 }]);

        await Promise.all(times(3, '/').map((path) => client.get(path)));
        expect(breaker.snapshot().counts).toEqual(
          asksFirst
            ? counts({ admitted: 3, success: 1, ignored: 2 })
            : counts({ admitted: 1, success: 1 }),
        );
        expect(server.hits()).toBe(1);
      });

      it('open the circuit as without a cache', async () => {
        const { server, client, breaker } = await start();
        server.script('/', [503]);
        for (const path of times(5, '/')) {
          expect((await outcome(client.get(path))).error).toMatchObject({
            response: { status: 503 },
          });
        }
        expect(breaker.getState()).toBe('open');
        expect(server.hits()).toBe(5);
      });
    });

    describe('fallback answers', () => {
      it.each<
        { title: string; kept: boolean } & Pick<CircuitBreakerOptions, 'fallback'> & {
            cache?: CacheOptions;
          }
      >([
        { title: 'are kept for good ones', fallback: staticFallback('instead'), kept: true },
        {
          title: 'are not kept where they say no-store',
          fallback: degrade(() =>
            fallbackResponse({ data: 'instead', headers: { 'cache-control': 'no-store' } }),
          ),
          kept: false,
        },
        {
          title: 'are not kept where the cachePredicate says so',
          fallback: staticFallback('instead'),
          cache: { cachePredicate: { responseMatch: ({ fallback }) => fallback === undefined } },
          kept: false,
        },
      ])('$title', async ({ fallback, cache, kept }) => {
        const { server, client, breaker } = await start({ fallback }, cache);
        server.script('/', [{ body: 'real' }]);

        breaker.open();
        expect((await client.get('/')).data).toBe('instead');
        breaker.close();
        expect((await client.get('/')).data).toBe(kept ? 'instead' : 'real');
        expect(server.hits()).toBe(kept ? 0 : 1);
      });

      const isKept = order === 'after';
      it(`for a counted failure are ${isKept ? 'kept, too' : 'not seen by the cache'}`, async () => {
        const { server, client } = await start({
          fallback: staticFallback('instead'),
          fallbackOn: 'failure',
        });
        server.script('/', [503, { body: 'real' }]);

        expect((await client.get('/')).data).toBe('instead');
        expect((await client.get('/')).data).toBe(isKept ? 'instead' : 'real');
      });
    });
  },
);
