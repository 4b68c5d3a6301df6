import axiosRetry from 'axios-retry';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { describeIf, sendsConfigsAgain } from '../../support/axios-version.js';
import { expectProbeReopens, openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { noRetries } from '../../support/retry-plugins.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { outcome, type Rig } from '../../support/rig.js';
import { counts, times, watch } from '../../support/watch.js';

describe('B6 · A retry plugin sends the same config again', () => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  beforeEach(() => (clock = new ManualClock()));
  afterEach(() => rig.stop());

  describe.each(orders)('axios-retry registered %s the breaker', (order) => {
    describeIf(sendsConfigsAgain)('on an axios that can send a config again', () => {
      it('gives each of four attempts a verdict of its own', async () => {
        rig = await startRigBeside(
          order,
          (client) => axiosRetry(client, { retries: 3, retryDelay: () => 1 }),
          { ...probing, consecutiveFailures: 10, clock },
        );
        const { server, client, breaker } = rig;
        const told = watch(breaker);
        server.script('/', [...times(4, 503), 200]);

        const { error } = await outcome(client.get('/'));
        expect(error).toMatchObject({ response: { status: 503 } });
        expect(server.hits()).toBe(4);
        expect(told).toEqual(times(4, 'FAILURE'));
        expect(breaker.snapshot()).toMatchObject({
          state: 'closed',
          inFlight: 0,
          counts: counts({ admitted: 4, failure: 4 }),
        });
      });

      it('probes anew with the retry that comes after the next cooldown', async () => {
        rig = await startRetryingRig(() => clock.advance(300));
        const { server, client, breaker } = rig;
        await openHalfway(rig, clock, noRetries);
        const told = watch(breaker);
        const probes: boolean[] = [];
        breaker.on('FAILURE', ({ probe }) => probes.push(probe));
        breaker.on('SUCCESS', ({ probe }) => probes.push(probe));
        server.script('/', [503, 200]);

        expect((await client.get('/')).status).toBe(200);
        expect(server.hits('/')).toBe(2);
        expect(told).toEqual([
          'FAILURE',
          'OPEN probe-failed 300',
          'HALF_OPEN',
          'SUCCESS',
          'CLOSE probes-passed 600',
        ]);
        expect(probes).toEqual([true, true]);
      });
    });

    it('fails one probe with the first attempt, and refuses its retry', async () => {
      rig = await startRetryingRig();
      await openHalfway(rig, clock, noRetries);
      rig.server.script('/', [503, 200]);

      await expectProbeReopens(
        rig,
        clock,
        async () => {
          const { error } = await outcome(rig.client.get('/'));
          expect(isBreakerOpenError(error)).toBe(true);
        },
        { refusals: 1 },
      );
      expect(rig.breaker.snapshot().counts).toMatchObject({ failure: 6, opened: 2 });
    });

    const startRetryingRig = (onRetry: () => void = () => undefined) =>
      startRigBeside(
        order,
        (client) =>
          axiosRetry(client, {
            retries: 3,
            retryDelay: () => 1,
            retryCondition: () => true,
            onRetry,
          }),
        { ...probing, clock },
      );
  });
});
