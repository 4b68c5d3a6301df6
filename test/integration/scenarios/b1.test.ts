import { isBreakerOpenError, isTimeoutError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { holdAnswer } from '../../support/held-answer.js';
import { holdRequests } from '../../support/held-request.js';
import { expectProbeCloses, expectProbeRecovery, openHalfway } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { orders, startRigBeside, type Order } from '../../support/rig-around.js';
import { outcome, startRig, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { counts, times, watch } from '../../support/watch.js';

const lease = 1_000;

describe('B1 · The probe never settles: an interceptor hangs after admission', () => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  beforeEach(() => (clock = new ManualClock()));
  afterEach(() => rig.stop());

  describe.each(orders)('in an interceptor registered %s the breaker', (order) => {
    it('holds no slot: the next call closes the circuit, and the hung one counts when it is sent', async () => {
      const { release, hung } = await startHung(order);
      const { server, client, breaker, transitions } = rig;
      clock.advance(lease + 20);
      expect(breaker.snapshot().inFlight).toBe(0);

      await expectProbeCloses(rig);
      expect(transitions).toEqual(['OPEN', 'HALF_OPEN', 'CLOSE']);
      expect(server.hits('/hung')).toBe(0);

      const told = watch(breaker);
      release();
      expect((await hung).error).toMatchObject({ response: { status: 503 } });
      expect(server.hits('/hung')).toBe(1);
      expect(told).toEqual(['FAILURE']);
      expect(breaker.snapshot()).toMatchObject({ state: 'closed', failureRate: 1 });

      server.script('/', [503]);
      await inTurn(3, () => client.get('/'));
      expect(breaker.getState()).toBe('closed');
      await inTurn(1, () => client.get('/'));
      expect(told).toEqual([...times(5, 'FAILURE'), 'OPEN consecutive 300']);
      expect(breaker.snapshot().counts).toEqual(
        counts({ admitted: 11, success: 1, failure: 10, opened: 2 }),
      );
    });

    it('is refused where it reaches an open circuit', async () => {
      const { release, hung } = await startHung(order);
      const { server, client, breaker } = rig;
      server.script('/', [503]);
      await inTurn(1, () => client.get('/'));
      expect(breaker.getState()).toBe('open');

      release();
      expect(isBreakerOpenError((await hung).error)).toBe(true);
      expect(server.hits('/hung')).toBe(0);
      await expectProbeRecovery(rig, clock);
    });

    it('is the probe where it reaches a half-open one, and others are refused meanwhile', async () => {
      const answer = holdAnswer();
      const { release, hung } = await startHung(order, answer);
      const { server, client, breaker } = rig;
      const told = watch(breaker);

      release();
      await answer.sent;
      const { error } = await outcome(client.get('/'));
      expect(error).toMatchObject({ isBreakerOpenError: true, state: 'half-open' });
      expect(server.hits('/')).toBe(0);
      answer.release();

      expect((await hung).error).toMatchObject({ response: { status: 503 } });
      expect(told).toEqual(['REFUSE', 'FAILURE', 'OPEN probe-failed 300']);
      await expectProbeRecovery(rig, clock);
    });
  });

  it('fails a probe that hangs at the wire once its lease is over, and drops what comes of it later', async () => {
    rig = await startRig({ halfOpen: { lease }, clock });
    const { server, client, breaker } = rig;
    await openHalfway(rig, clock);
    const told = watch(breaker);
    const deaf = holdAnswer();
    server.script('/hung', [200]);

    const probe = outcome(client.get('/hung', { adapter: deaf.adapter }));
    await deaf.sent;
    clock.advance(lease - 1);
    expect(breaker.getState()).toBe('half-open');
    clock.advance(1);
    expect(isTimeoutError((await probe).error)).toBe(true);
    const expired = ['FAILURE', 'OPEN probe-expired 300'];
    expect(told).toEqual(expired);
    const after = breaker.snapshot();
    expect(after).toMatchObject({ state: 'open', inFlight: 0, retryAfterMs: 300 });

    deaf.release();
    const [refused] = await inTurn(1, () => client.get('/'));
    expect(refused?.error).toMatchObject({ reason: 'probe-expired', cause: { code: 'ETIMEDOUT' } });
    expect(told).toEqual([...expired, 'REFUSE']);
    expect(breaker.snapshot().counts).toEqual({ ...after.counts, refused: 1 });
    await expectProbeRecovery(rig, clock);
  });

  /** A half-open circuit, and a request for `/hung`, for a 503, that waits in an interceptor. */
  async function startHung(order: Order, { adapter }: Partial<ReturnType<typeof holdAnswer>> = {}) {
    const { plugIn, held, release } = holdRequests('/hung');
    rig = await startRigBeside(order, plugIn, { halfOpen: { lease }, clock });
    await openHalfway(rig, clock);
    clock.advance(20);
    rig.server.script('/hung', [503]);
    const hung = outcome(rig.client.get('/hung', adapter && { adapter }));
    await held;
    return { hung, release };
  }
});
