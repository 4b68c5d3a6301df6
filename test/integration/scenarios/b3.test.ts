import axios, { type AxiosRequestConfig } from 'axios';
import { isBreakerOpenError, isFailure } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectProbeCloses, openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, sleep, startRig, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { counts, times, watch } from '../../support/watch.js';

interface Cancellation {
  readonly config: AxiosRequestConfig;
  readonly cancel: () => void;
}

const cancellations: Record<string, () => Cancellation> = {
  signal: () => {
    const controller = new AbortController();
    return { config: { signal: controller.signal }, cancel: () => controller.abort() };
  },
  cancelToken: () => {
    const { token, cancel } = axios.CancelToken.source();
    return { config: { cancelToken: token }, cancel: () => cancel('enough') };
  },
};
const ways = Object.entries(cancellations).map(([way, start]) => ({ way, start }));

/** A deadline puts a signal of the breaker's between the caller's and the wire. */
const deadlines = [
  { deadline: 'without a requestTimeout', requestTimeout: undefined },
  { deadline: 'with a requestTimeout', requestTimeout: 60_000 },
];
const cases = ways.flatMap((way) => deadlines.map((deadline) => ({ ...way, ...deadline })));

describe("B3 · Aborted calls: neutral when closed, and the probe's slot comes back", () => {
  expectQuietProcess();
  const errorHandler = jest.fn(isFailure);
  let clock: ManualClock;
  let rig: Rig;
  beforeEach(() => {
    errorHandler.mockClear();
    clock = new ManualClock();
  });
  afterEach(() => rig.stop());

  it.each(deadlines)(
    'counts 20 aborted calls as neither success nor failure ($deadline)',
    async ({ requestTimeout }) => {
      rig = await startSilentRig(requestTimeout);
      const { client, breaker } = rig;
      const told = watch(breaker);

      const started = times(10, ways).flat();
      const calls = started.map(({ start }) => {
        const { config, cancel } = start();
        return { cancel, ended: outcome(client.get('/silent', config)) };
      });
      await sleep(20);
      expect(breaker.snapshot().inFlight).toBe(20);
      for (const { cancel } of calls) cancel();

      for (const { ended } of calls) expect(axios.isCancel((await ended).error)).toBe(true);
      expect(told).toEqual(times(20, 'IGNORE'));
      expect(errorHandler).not.toHaveBeenCalled();
      expect(breaker.snapshot()).toMatchObject({
        state: 'closed',
        failureRate: 0,
        counts: counts({ admitted: 20, ignored: 20 }),
      });
    },
  );

  it.each(cases)(
    'neither ends nor lengthens a row of failures by a call cancelled by $way ($deadline)',
    async ({ start, requestTimeout }) => {
      rig = await startSilentRig(requestTimeout);
      const { server, client, transitions } = rig;
      server.script('/', [503]);

      await inTurn(4, () => client.get('/'));
      await cancelInFlight(start());
      expect(transitions).toEqual([]);
      await inTurn(1, () => client.get('/'));
      expect(transitions).toEqual(['OPEN']);
    },
  );

  it.each(cases)(
    'gives the slot of a probe cancelled by $way to the next call ($deadline)',
    async ({ start, requestTimeout }) => {
      rig = await startSilentRig(requestTimeout);
      const { server, client, breaker } = rig;
      await openHalfway(rig, clock);
      clock.advance(20);
      const told = watch(breaker);
      errorHandler.mockClear();

      await cancelInFlight(start(), async () => {
        expect(isBreakerOpenError((await outcome(client.get('/'))).error)).toBe(true);
      });
      expect(server.hits('/')).toBe(0);
      expect(told).toEqual(['REFUSE', 'IGNORE']);
      expect(errorHandler).not.toHaveBeenCalled();

      await expectProbeCloses(rig);
      expect(told.slice(2)).toEqual(['SUCCESS', 'CLOSE probes-passed 320']);
      expect(breaker.snapshot().counts).toEqual(
        counts({ admitted: 7, refused: 1, failure: 5, ignored: 1, success: 1, opened: 1 }),
      );
    },
  );

  it.each(ways)(
    'takes no slot for a call that $way cancelled before it began',
    async ({ start }) => {
      rig = await startSilentRig();
      const { server, client, breaker } = rig;
      await openHalfway(rig, clock);
      const { config, cancel } = start();
      cancel();

      expect(axios.isCancel((await outcome(client.get('/silent', config))).error)).toBe(true);
      expect(server.hits('/silent')).toBe(0);
      expect(breaker.snapshot().counts).toMatchObject({ admitted: 5, ignored: 0 });
      await expectProbeCloses(rig);
    },
  );

  async function startSilentRig(requestTimeout?: number): Promise<Rig> {
    const silent = await startRig({ ...probing, clock, errorHandler, requestTimeout });
    silent.server.script('/silent', [{ behaviour: 'silent' }]);
    return silent;
  }

  async function cancelInFlight(
    { config, cancel }: Cancellation,
    meanwhile = (): Promise<void> => Promise.resolve(),
  ): Promise<void> {
    const call = outcome(rig.client.get('/silent', config));
    await sleep(20);
    expect(rig.breaker.snapshot().inFlight).toBe(1);
    await meanwhile();
    cancel();
    const { error } = await call;
    expect(axios.isCancel(error)).toBe(true);
    expect(isBreakerOpenError(error)).toBe(false);
  }
});
