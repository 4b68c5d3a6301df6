import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { holdAnswer } from '../../support/held-answer.js';
import {
  expectProbeCloses,
  expectProbeRecovery,
  openHalfway,
  probing,
} from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, startRig, type Rig } from '../../support/rig.js';
import { inTurn, openWith503 } from '../../support/steps.js';
import { counts, times, watch } from '../../support/watch.js';

describe('D2 · A late success while open', () => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig({ ...probing, clock });
  });
  afterEach(() => rig.stop());

  it('leaves the circuit open, and its caller with a 200', async () => {
    const { server, client, breaker, transitions } = rig;
    const told = watch(breaker);
    const slow = await startSlowCall(200);
    await openWith503(rig);
    clock.advance(150);

    expect(await slow.answer()).toMatchObject({ value: { status: 200 } });
    const refused = await inTurn(10, () => client.get('/'));

    expect(refused.every(({ error }) => isBreakerOpenError(error))).toBe(true);
    expect(server.hits('/')).toBe(0);
    expect(told).toEqual([
      ...times(5, 'FAILURE'),
      'OPEN consecutive 300',
      'SUCCESS late',
      ...times(10, 'REFUSE'),
    ]);
    clock.advance(149);
    expect(breaker.getState()).toBe('open');
    clock.advance(1);
    await expectProbeCloses(rig);
    expect(transitions).toEqual(['OPEN', 'HALF_OPEN', 'CLOSE']);
    expect(breaker.snapshot().counts).toEqual(
      counts({ admitted: 7, refused: 10, success: 2, failure: 5, late: 1, opened: 1 }),
    );
  });

  it.each([200, 503])(
    'does not move a half-open circuit by a late %d, nor take its slot',
    async (status) => {
      const { breaker } = rig;
      const slow = await startSlowCall(status);
      await openHalfway(rig, clock);
      const told = watch(breaker);

      await slow.answer();
      expect(told).toEqual([status === 200 ? 'SUCCESS late' : 'FAILURE late']);
      await expectProbeCloses(rig);
    },
  );

  it('does not pass for the answer of the probe that is in flight', async () => {
    const { breaker } = rig;
    const slow = await startSlowCall(200);
    await openHalfway(rig, clock);
    const told = watch(breaker);
    const probe = await startSlowCall(503);

    await slow.answer();
    expect(breaker.getState()).toBe('half-open');
    await probe.answer();
    expect(told).toEqual(['SUCCESS late', 'FAILURE', 'OPEN probe-failed 300']);
    await expectProbeRecovery(rig, clock);
  });

  it('does not count in a closed era that is not its own', async () => {
    const { server, client, breaker } = rig;
    const slow = await startSlowCall(503);
    await openHalfway(rig, clock);
    await expectProbeCloses(rig);
    const told = watch(breaker);

    await slow.answer();
    expect(breaker.snapshot()).toMatchObject({ state: 'closed', failureRate: 0 });
    server.script('/', [503]);
    await inTurn(4, () => client.get('/'));
    expect(told).toEqual(['FAILURE late', ...times(4, 'FAILURE')]);
    await inTurn(1, () => client.get('/'));
    expect(told.at(-1)).toBe('OPEN consecutive 300');
  });

  /** A call that is on its way, and whose answer arrives only when it is asked for. */
  async function startSlowCall(status: number) {
    const { adapter, sent, release } = holdAnswer();
    const ended = outcome(rig.client.get(`/status/${status}`, { adapter }));
    await sent;
    return {
      answer: () => {
        release();
        return ended;
      },
    };
  }
});
