import { ManualClock } from '../../../src/testing/index.js';
import { expectProbeCloses, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { startRig, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { counts, times, watch } from '../../support/watch.js';

const cooldown = 300;
const windowDuration = 1_000;

const pauses = [
  { when: 'the window is empty', pause: windowDuration + cooldown + 20 },
  { when: 'the window still has the calls that opened it', pause: cooldown + 20 },
];

describe('D6 · A probe that fails with little traffic', () => {
  expectQuietProcess();
  let rig: Rig;
  afterEach(() => rig.stop());

  it.each(pauses)(
    'opens again, whatever `minimumCalls` says, and lets the next probe close it, when $when',
    async ({ pause }) => {
      const clock = new ManualClock();
      rig = await startRig({
        ...probing,
        consecutiveFailures: undefined,
        failureThreshold: 0.5,
        minimumCalls: 10,
        windowDuration,
        cooldown,
        clock,
      });
      const { server, client, breaker } = rig;
      const told = watch(breaker);
      server.script('/', [503]);
      await inTurn(9, () => client.get('/'));
      expect(breaker.getState()).toBe('closed');
      await inTurn(1, () => client.get('/'));
      const opening = [...times(10, 'FAILURE'), 'OPEN failure-rate 300'];
      expect(told).toEqual(opening);

      clock.advance(pause);
      await inTurn(1, () => client.get('/'));
      expect(server.hits('/')).toBe(11);
      const failing = ['HALF_OPEN', 'FAILURE', 'OPEN probe-failed 300'];
      expect(told).toEqual([...opening, ...failing]);

      clock.advance(cooldown + 20);
      await expectProbeCloses(rig);
      expect(server.hits('/')).toBe(12);
      const closing = ['HALF_OPEN', 'SUCCESS', `CLOSE probes-passed ${pause + cooldown + 20}`];
      expect(told).toEqual([...opening, ...failing, ...closing]);
      expect(breaker.snapshot().counts).toEqual(
        counts({ admitted: 12, failure: 11, success: 1, opened: 2 }),
      );
    },
  );
});
