import {
  holdUntilClosed,
  isBreakerOpenError,
  type CircuitBreakerOptions,
} from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { until } from '../../test-server/exchange.js';
import { arrangements, startArranged } from '../../support/arrangements.js';
import { describeIf, sendsConfigsAgain } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { noRetries, retryPlugins } from '../../support/retry-plugins.js';
import { outcome, type Rig } from '../../support/rig.js';
import { counts, times, watch } from '../../support/watch.js';

const setups = retryPlugins.flatMap((plugin) =>
  arrangements.map((arrangement) => ({ plugin, arrangement })),
);

describe.each(setups)(
  '$plugin.name registered $arrangement.arrangement',
  ({ plugin, arrangement }) => {
    expectQuietProcess();
    let clock: ManualClock;
    let rig: Rig;
    beforeEach(() => (clock = new ManualClock()));
    afterEach(() => rig.stop());

    async function start(options: CircuitBreakerOptions = {}, condition?: () => boolean) {
      const settings = { retries: 3, delay: 1, condition };
      rig = await startArranged(arrangement, (client) => plugin.register(client, settings), {
        clock,
        ...options,
      });
      return rig;
    }

    async function open() {
      rig.server.script('/outage', [503]);
      await outcome(rig.client.get('/outage', noRetries));
      expect(rig.breaker.getState()).toBe('open');
    }

    describe('refusals', () => {
      it.each([
        { title: 'its own condition', condition: undefined },
        { title: 'a condition that takes any error', condition: () => true },
      ])('are final with $title: one, and nothing is sent', async ({ condition }) => {
        const { server, client, breaker } = await start({ consecutiveFailures: 1 }, condition);
        await open();
        const told = watch(breaker);

        expect(isBreakerOpenError((await outcome(client.get('/'))).error)).toBe(true);
        expect(told).toEqual(['REFUSE']);
        expect(server.hits('/')).toBe(0);
      });

      it('end the retries of a request that opened the circuit', async () => {
        const { server, client, breaker } = await start({ consecutiveFailures: 1 }, () => true);
        server.script('/', [503]);

        expect(isBreakerOpenError((await outcome(client.get('/'))).error)).toBe(true);
        expect(server.hits('/')).toBe(1);
        expect(breaker.snapshot().counts).toEqual(
          counts({ admitted: 1, failure: 1, refused: 1, opened: 1 }),
        );
      });
    });

    // Whatever is sent twice.
    describeIf(sendsConfigsAgain)('verdicts', () => {
      it('are one for each attempt', async () => {
        const { client, breaker, server } = await start();
        const told = watch(breaker);
        server.script('/', [503, 503, 200]);

        expect((await client.get('/')).status).toBe(200);
        expect(told).toEqual(['FAILURE', 'FAILURE', 'SUCCESS']);
        expect(breaker.snapshot().counts).toEqual(counts({ admitted: 3, failure: 2, success: 1 }));
      });

      it('open the circuit at the very attempt that is one too many', async () => {
        const { client, breaker, server } = await start({ consecutiveFailures: 3 });
        const told = watch(breaker);
        server.script('/', [503]);

        expect(isBreakerOpenError((await outcome(client.get('/'))).error)).toBe(true);
        expect(told).toEqual([...times(3, 'FAILURE'), 'OPEN consecutive 300', 'REFUSE']);
        expect(server.hits('/')).toBe(3);
      });
    });

    describe('fallback answers', () => {
      it('come at once instead of a refusal, and are not tried again', async () => {
        const fallback = jest.fn(() => 'instead');
        const { server, client } = await start({ consecutiveFailures: 1, fallback }, () => true);
        await open();

        expect(await client.get('/')).toMatchObject({ data: 'instead', fallback: 'degrade' });
        expect(fallback).toHaveBeenCalledTimes(1);
        expect(server.hits('/')).toBe(0);
      });

      it('come instead of the retry that is refused', async () => {
        const fallback = jest.fn(() => 'instead');
        const { server, client } = await start({ consecutiveFailures: 1, fallback });
        server.script('/', [503]);

        expect(await client.get('/')).toMatchObject({ data: 'instead', fallback: 'degrade' });
        expect(fallback).toHaveBeenCalledTimes(1);
        expect(server.hits('/')).toBe(1);
      });

      describeIf(sendsConfigsAgain)('for counted failures', () => {
        const isBefore = arrangement.order === 'before';
        const when = isBefore ? 'once the plugin has given up' : 'before the plugin hears of it';

        it(`come once, ${when}`, async () => {
          const fallback = jest.fn(() => 'instead');
          const { server, client } = await start({ fallback, fallbackOn: 'failure' });
          server.script('/', [503]);

          expect(await client.get('/')).toMatchObject({ data: 'instead', fallback: 'degrade' });
          expect(fallback).toHaveBeenCalledTimes(1);
          expect(server.hits('/')).toBe(isBefore ? 4 : 1);
        });

        const end = isBefore ? 'do not come where the next try' : 'come although the next try';
        it(`${end} would succeed`, async () => {
          const fallback = jest.fn(() => 'instead');
          const { server, client } = await start({ fallback, fallbackOn: 'failure' });
          server.script('/', [503, { body: 'real' }]);

          expect((await client.get('/')).data).toBe(isBefore ? 'real' : 'instead');
          expect(fallback).toHaveBeenCalledTimes(isBefore ? 0 : 1);
        });
      });
    });

    describeIf(sendsConfigsAgain)('held requests', () => {
      it('wait although the plugin could try again, and are sent once', async () => {
        const { server, client, breaker } = await start({
          consecutiveFailures: 1,
          fallback: holdUntilClosed(),
        });
        await open();
        server.script('/', [{ body: 'later' }]);

        const held = client.get('/');
        await until(() => breaker.snapshot().queued === 1);
        clock.advance(300);
        expect(await held).toMatchObject({ data: 'later', fallback: 'hold' });
        expect(server.hits('/')).toBe(1);
        expect(breaker.snapshot().counts).toMatchObject({ admitted: 2, refused: 0 });
      });

      it('are tried again where they fail once they are sent', async () => {
        const { server, client, breaker } = await start({
          consecutiveFailures: 2,
          fallback: holdUntilClosed(),
        });
        server.script('/outage', [503]);
        for (const path of times(2, '/outage')) {
          await outcome(client.get(path, noRetries));
        }
        expect(breaker.getState()).toBe('open');
        const told = watch(breaker);
        server.script('/', [503, { body: 'later' }]);

        const held = client.get('/');
        await until(() => breaker.snapshot().queued === 1);
        clock.advance(300);
        expect((await held).data).toBe('later');
        expect(told).toEqual(['CLOSE cooldown-elapsed 300', 'FAILURE', 'SUCCESS']);
      });

      it('may be retries: the one that is refused waits, and is sent', async () => {
        const { server, client, breaker } = await start({
          consecutiveFailures: 1,
          fallback: holdUntilClosed(),
        });
        const told = watch(breaker);
        server.script('/', [503, { body: 'later' }]);

        const call = client.get('/');
        await until(() => breaker.snapshot().queued === 1);
        clock.advance(300);
        expect(await call).toMatchObject({ data: 'later', fallback: 'hold' });
        expect(told).toEqual([
          'FAILURE',
          'OPEN consecutive 300',
          'CLOSE cooldown-elapsed 300',
          'SUCCESS',
        ]);
      });
    });
  },
);
