import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { ManualClock } from '../../../src/testing/index.js';
import { expectProbeRecovery, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, startRig } from '../../support/rig.js';

describe('D1 · Many failures in the same tick', () => {
  expectQuietProcess();

  it('opens once for eight 503s at once, and closes once', async () => {
    const clock = new ManualClock();
    const rig = await startRig({ ...probing, clock });
    const { server, client, breaker, transitions } = rig;
    server.script('/', [{ status: 503, delay: 50 }]);

    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(client.get('/'))));

    for (const { error } of outcomes) expect(error).toMatchObject({ response: { status: 503 } });
    expect(server.hits('/')).toBe(8);
    expect(transitions).toEqual(['OPEN']);
    expect(breaker.snapshot().counts).toMatchObject({ failure: 8, late: 3, opened: 1, refused: 0 });

    await expectProbeRecovery(rig, clock);
    await rig.stop();
  });

  it('opens once for eight answers that an adapter hands out in one tick', async () => {
    const clock = new ManualClock();
    const rig = await startRig({ ...probing, clock });
    const { client, breaker, transitions } = rig;
    let answerAll!: (answer: Partial<AxiosResponse>) => void;
    const answer = new Promise<Partial<AxiosResponse>>((resolve) => (answerAll = resolve));
    const adapter = async (config: InternalAxiosRequestConfig) =>
      ({ ...(await answer), config }) as AxiosResponse;

    const calls = Array.from({ length: 8 }, () => outcome(client.get('/', { adapter })));
    expect(breaker.snapshot().inFlight).toBe(8);
    answerAll({ status: 503, headers: {} });
    await Promise.all(calls);

    expect(transitions).toEqual(['OPEN']);
    expect(breaker.snapshot().counts).toMatchObject({ failure: 8, late: 3, opened: 1 });
    await expectProbeRecovery(rig, clock);
    await rig.stop();
  });
});
