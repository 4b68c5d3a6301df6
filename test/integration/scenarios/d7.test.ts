import { CircuitBreaker, type CircuitBreakerOptions } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { holdAnswer } from '../../support/held-answer.js';
import { expectProbeCloses, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, startRig, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { times, watch } from '../../support/watch.js';

const byRate = {
  ...probing,
  consecutiveFailures: undefined,
  failureThreshold: 0.5,
  minimumCalls: 4,
  windowDuration: 1_000,
} satisfies CircuitBreakerOptions;
const byRow = { ...probing, consecutiveFailures: 3 } satisfies CircuitBreakerOptions;

const thirty = 'FFO'.repeat(10);

/** F is a 503, O a 200, and - a pause of 1.1 s. */
const sequences: {
  readonly calls: string;
  readonly rule: string;
  readonly options: CircuitBreakerOptions;
  readonly opens: string[];
}[] = [
  { calls: 'F', rule: 'half of 4', options: byRate, opens: [] },
  { calls: 'FFF', rule: 'half of 4', options: byRate, opens: [] },
  { calls: 'OOFF', rule: 'half of 4', options: byRate, opens: ['OPEN failure-rate 300'] },
  { calls: 'OOOF', rule: 'half of 4', options: byRate, opens: [] },
  { calls: 'FF-FF', rule: 'half of 4', options: byRate, opens: [] },
  {
    calls: 'FFFF',
    rule: 'all of 4',
    options: { ...byRate, failureThreshold: 1 },
    opens: ['OPEN failure-rate 300'],
  },
  { calls: 'FFFO', rule: 'all of 4', options: { ...byRate, failureThreshold: 1 }, opens: [] },
  { calls: thirty, rule: '3 in a row', options: byRow, opens: [] },
  { calls: `${thirty}FFF`, rule: '3 in a row', options: byRow, opens: ['OPEN consecutive 300'] },
];

const detectors = [
  { detector: 'the share', options: byRate, opening: 4 },
  { detector: 'the row', options: byRow, opening: 3 },
];
const closings: {
  readonly how: string;
  readonly options: CircuitBreakerOptions;
  readonly close: (rig: Rig, clock: ManualClock) => unknown;
}[] = [
  {
    how: 'a probe',
    options: {},
    close: (rig, clock) => {
      clock.advance(300);
      return expectProbeCloses(rig);
    },
  },
  { how: 'the clock', options: { halfOpen: false }, close: (_rig, clock) => clock.advance(300) },
  { how: 'a command', options: {}, close: ({ breaker }) => breaker.close() },
];
const slates = detectors.flatMap(({ options, ...detector }) =>
  closings.map((closing) => ({
    ...closing,
    ...detector,
    options: { ...options, ...closing.options },
  })),
);

describe('D7 · Rate arithmetic and a clean slate', () => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  beforeEach(() => (clock = new ManualClock()));
  afterEach(() => rig.stop());

  it.each(sequences)('$calls under $rule: $opens', async ({ calls, options, opens }) => {
    rig = await startRig({ ...options, clock });
    const told = watch(rig.breaker);

    await play(rig, calls.slice(0, -1));
    expect(rig.breaker.getState()).toBe('closed');
    await play(rig, calls.slice(-1));

    expect(rig.breaker.getState()).toBe(opens.length > 0 ? 'open' : 'closed');
    expect(told.filter((event) => event.startsWith('OPEN'))).toEqual(opens);
    expect(rig.server.hits('/')).toBe(calls.replaceAll('-', '').length);
  });

  it.each(slates)(
    'forgets what opened it by $detector once $how has closed it',
    async ({ options, opening, close }) => {
      rig = await startRig({ ...options, clock });
      const { breaker, transitions } = rig;
      await play(rig, 'F'.repeat(opening));
      expect(breaker.getState()).toBe('open');
      await close(rig, clock);
      expect(breaker.snapshot()).toMatchObject({ state: 'closed', failureRate: 0 });

      await play(rig, 'F');
      expect(breaker.snapshot()).toMatchObject({ state: 'closed', failureRate: 1 });
      expect(transitions.at(-1)).toBe('CLOSE');
      await play(rig, 'F'.repeat(opening - 1));
      expect(breaker.getState()).toBe('open');
    },
  );

  it('leaves refused calls, and those in flight, out of the count', async () => {
    rig = await startRig({ ...byRate, clock });
    const { client, breaker } = rig;
    await play(rig, 'FFFF');
    await inTurn(20, () => client.get('/'));
    clock.advance(300);
    await expectProbeCloses(rig);
    const answers = times(10, holdAnswer).map((hold) => hold());
    const inFlight = answers.map(({ adapter }) => outcome(client.get('/status/200', { adapter })));
    await Promise.all(answers.map(({ sent }) => sent));

    await play(rig, 'OOF');
    expect(breaker.snapshot()).toMatchObject({ state: 'closed', inFlight: 10 });
    await play(rig, 'F');
    expect(breaker.snapshot()).toMatchObject({ state: 'open', openReason: 'failure-rate' });

    for (const { release } of answers) release();
    await Promise.all(inFlight);
  });

  it('refuses a minimum of calls that is more than the window when it is attached', async () => {
    rig = await startRig();
    const options = { windowSize: 5, minimumCalls: 10 };
    expect(() => new CircuitBreaker(rig.client, options)).toThrow(
      new RangeError('Expected `minimumCalls` to be at most windowSize (5), got 10'),
    );
  });

  async function play({ server, client }: Rig, calls: string): Promise<void> {
    for (const call of calls) {
      if (call === '-') {
        clock.advance(1_100);
      } else {
        server.script('/', [call === 'F' ? 503 : 200]);
        await outcome(client.get('/'));
      }
    }
  }
});
