import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { describeIf, sendsConfigsAgain } from '../../support/axios-version.js';
import { expectProbeReopens, openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { noRetries, retryPlugins } from '../../support/retry-plugins.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { outcome, type Rig } from '../../support/rig.js';
import { counts, watch } from '../../support/watch.js';

const setups = retryPlugins.flatMap((plugin) => orders.map((order) => ({ plugin, order })));

describe('G1 · Retry plugin registered before the breaker', () => {
  expectQuietProcess();
  let rig: Rig;
  afterEach(() => rig.stop());

  describe.each(setups)('$plugin.name registered $order the breaker', ({ plugin, order }) => {
    describeIf(sendsConfigsAgain)('on an axios that can send a config again', () => {
      it('gives every attempt a verdict of its own, as soon as its answer is there', async () => {
        const failuresAtRetry: number[] = [];
        rig = await startRigBeside(order, (client) =>
          plugin.register(client, {
            retries: 3,
            delay: 60,
            onRetry: () => failuresAtRetry.push(rig.breaker.snapshot().counts.failure),
          }),
        );
        const { server, client, breaker } = rig;
        const told = watch(breaker);
        server.script('/', [503, 503, 200]);

        expect((await client.get('/')).status).toBe(200);
        expect(server.hits()).toBe(3);
        expect(failuresAtRetry).toEqual([1, 2]);
        expect(told).toEqual(['FAILURE', 'FAILURE', 'SUCCESS']);
        expect(breaker.snapshot().counts).toEqual(counts({ admitted: 3, failure: 2, success: 1 }));
        expect(breaker.getState()).toBe('closed');
      });
    });

    it('refuses the retry of the attempt that opened it, once and for all', async () => {
      const clock = new ManualClock();
      rig = await startRigBeside(
        order,
        (client) => plugin.register(client, { retries: 2, delay: 1, condition: () => true }),
        { clock, consecutiveFailures: 1 },
      );
      const { server, client, breaker } = rig;
      const told = watch(breaker);
      server.script('/', [503, 200]);

      const { error } = await outcome(client.get('/'));
      expect(isBreakerOpenError(error)).toBe(true);
      expect(server.hits()).toBe(1);
      expect(told).toEqual(['FAILURE', 'OPEN consecutive 300', 'REFUSE']);
      expect(breaker.getState()).toBe('open');

      clock.advance(300);
      expect((await client.get('/')).status).toBe(200);
      expect(told.slice(3)).toEqual(['CLOSE cooldown-elapsed 300', 'SUCCESS']);
      expect(breaker.snapshot().counts).toEqual(
        counts({ admitted: 2, refused: 1, failure: 1, success: 1, opened: 1 }),
      );
    });

    it('refuses the retry of a probe that failed, and holds no slot', async () => {
      const clock = new ManualClock();
      rig = await startRigBeside(
        order,
        (client) => plugin.register(client, { retries: 2, delay: 1, condition: () => true }),
        { ...probing, clock },
      );
      const { server, client } = rig;
      await openHalfway(rig, clock, noRetries);
      server.script('/', [503]);

      await expectProbeReopens(
        rig,
        clock,
        async () => {
          const { error } = await outcome(client.get('/'));
          expect(isBreakerOpenError(error)).toBe(true);
        },
        { refusals: 1 },
      );
    });
  });
});
