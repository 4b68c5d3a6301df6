import type { AxiosInstance } from 'axios';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { startRigBeside, type Order } from '../../support/rig-around.js';
import { outcome, sleep, type Rig } from '../../support/rig.js';
import { counts, times, watch } from '../../support/watch.js';

const addSlowInterceptor = ({ interceptors }: AxiosInstance) =>
  void interceptors.request.use(async (config) => {
    await sleep(10);
    return config;
  });

const companies: {
  readonly company: string;
  readonly order: Order;
  readonly plugIn: (client: AxiosInstance) => void;
}[] = [
  { company: 'by itself', order: 'before', plugIn: () => undefined },
  { company: 'after an interceptor of 10 ms', order: 'after', plugIn: addSlowInterceptor },
  { company: 'before an interceptor of 10 ms', order: 'before', plugIn: addSlowInterceptor },
];

describe('D4 · Herd at the half-open door', () => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  beforeEach(() => (clock = new ManualClock()));
  afterEach(() => rig.stop());

  it.each(companies)(
    'lets one of fifty calls through, and refuses the others at once ($company)',
    async ({ order, plugIn }) => {
      rig = await startRigBeside(order, plugIn, { ...probing, clock });
      const { refused, answered, told } = await sendHerd();

      expect(answered).toHaveLength(1);
      expect(refused).toHaveLength(49);
      expect(told).toEqual([...times(49, 'REFUSE'), 'SUCCESS', 'CLOSE probes-passed 320']);
      expect(rig.breaker.snapshot()).toMatchObject({
        state: 'closed',
        counts: counts({ admitted: 6, refused: 49, failure: 5, success: 1, opened: 1 }),
      });
    },
  );

  it('lets as many through at once as may probe at once, and closes when all have passed', async () => {
    rig = await startRigBeside('before', () => undefined, {
      halfOpen: { probes: 3, concurrent: 2 },
      clock,
    });
    const { server, client, breaker } = rig;
    const { refused, answered, told } = await sendHerd();

    expect(answered).toHaveLength(2);
    expect(refused).toHaveLength(48);
    expect(told).toEqual([...times(48, 'REFUSE'), ...times(2, 'SUCCESS')]);
    expect(breaker.getState()).toBe('half-open');

    const last = await Promise.all(times(2, '/').map((path) => outcome(client.get(path))));
    expect(last.map(({ error }) => isBreakerOpenError(error))).toEqual([false, true]);
    expect(server.hits('/')).toBe(3);
    expect(told.slice(50)).toEqual(['REFUSE', 'SUCCESS', 'CLOSE probes-passed 320']);
  });

  it('refuses all the others of a herd whose probe fails, and opens once more', async () => {
    rig = await startRigBeside('before', () => undefined, { ...probing, clock });
    const { refused, answered, told } = await sendHerd(503);

    expect(answered).toHaveLength(0);
    expect(refused).toHaveLength(49);
    expect(told).toEqual([...times(49, 'REFUSE'), 'FAILURE', 'OPEN probe-failed 300']);
  });

  /** Fifty calls in one tick for an answer that takes 50 ms, to a circuit that is half-open. */
  async function sendHerd(status = 200) {
    const { server, client, breaker } = rig;
    await openHalfway(rig, clock);
    clock.advance(20);
    server.script('/', [{ status, delay: 50 }]);
    const told = watch(breaker);

    const ends = await Promise.all(
      times(50, '/').map(async (path) => {
        const end = await outcome(client.get(path));
        return { ...end, stateThen: breaker.getState() };
      }),
    );
    const refused = ends.filter(({ error }) => isBreakerOpenError(error));
    for (const { error, stateThen } of refused) {
      expect(error).toMatchObject({ state: 'half-open', reason: 'consecutive', retryAfterMs: 0 });
      // Nobody waited for what becomes of the probe.
      expect(stateThen).toBe('half-open');
    }
    const answered = ends.filter(({ value }) => value !== undefined);
    expect(server.hits('/')).toBe(50 - refused.length);
    return { refused, answered, told };
  }
});
