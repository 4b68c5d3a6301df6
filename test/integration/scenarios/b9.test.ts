import type { AxiosRequestConfig } from 'axios';
import { ManualClock } from '../../../src/testing/index.js';
import type { Answer } from '../../../test-server/answer.js';
import { expectProbeRecovery, openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, startRig, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { counts, times, watch } from '../../support/watch.js';

const own = new Error('of the transform');
const throwing: AxiosRequestConfig = {
  transformResponse: [
    () => {
      throw own;
    },
  ],
};
const strictJson: AxiosRequestConfig = {
  responseType: 'json',
  transitional: { silentJSONParsing: false },
};

const faults: {
  readonly fault: string;
  readonly config: AxiosRequestConfig;
  readonly answer: Answer;
  readonly expectError: (error: unknown) => void;
}[] = [
  {
    fault: 'a transform that throws',
    config: throwing,
    answer: {},
    expectError: (error) => expect(error).toBe(own),
  },
  {
    fault: 'strict JSON on a broken body',
    config: strictJson,
    answer: { body: '{"broken":', headers: { 'content-type': 'application/json' } },
    expectError: (error) =>
      expect(error).toMatchObject({ name: 'SyntaxError', code: 'ERR_BAD_RESPONSE' }),
  },
];

describe('B9 · `transformResponse` throws on a good answer', () => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig({ ...probing, clock });
  });
  afterEach(() => rig.stop());

  it.each(faults)(
    "blames the server for nothing, and leaves the caller's error alone: $fault",
    async ({ config, answer, expectError }) => {
      const { server, client, breaker } = rig;
      const told = watch(breaker);
      server.script('/', [answer]);

      const outcomes = await inTurn(10, () => client.get('/', config));
      for (const { error } of outcomes) expectError(error);
      expect(server.hits('/')).toBe(10);
      expect(told).toEqual(times(10, 'SUCCESS'));
      expect(breaker.snapshot()).toMatchObject({
        state: 'closed',
        failureRate: 0,
        counts: counts({ admitted: 10, success: 10 }),
      });
    },
  );

  it.each(faults)(
    'closes a half-open circuit, for the server has answered, and leaves the way free: $fault',
    async ({ config, answer, expectError }) => {
      const { server, client, breaker, transitions } = rig;
      await openHalfway(rig, clock);
      server.script('/', [answer, 200]);

      expectError((await outcome(client.get('/', config))).error);
      expect(await outcome(client.get('/'))).toMatchObject({ value: { status: 200 } });
      expect(server.hits('/')).toBe(2);
      expect(breaker.getState()).toBe('closed');
      expect(transitions).toEqual(['OPEN', 'HALF_OPEN', 'CLOSE']);
    },
  );

  it('still counts a 503 whose body the transform throws on', async () => {
    const { server, client, breaker, transitions } = rig;
    server.script('/', [503]);

    const outcomes = await inTurn(5, () => client.get('/', throwing));
    for (const { error } of outcomes) expect(error).toBe(own);
    expect(transitions).toEqual(['OPEN']);

    clock.advance(300);
    await inTurn(1, () => client.get('/', throwing));
    expect(transitions).toEqual(['OPEN', 'HALF_OPEN', 'OPEN']);
    expect(breaker.snapshot().counts).toMatchObject({ failure: 6, success: 0 });
    await expectProbeRecovery(rig, clock);
  });
});
