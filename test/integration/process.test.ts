import { isTimeoutError } from '../../src/index.js';
import { describeIf, isLatestAxios } from '../support/axios-version.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { outcome, sleep, startRig, type Rig } from '../support/rig.js';
import { runScript } from '../support/run-script.js';
import { inTurn } from '../support/steps.js';
import { until } from '../test-server/exchange.js';

interface Timers {
  readonly started: number;
  /** Neither ended nor cleared. */
  readonly held: number;
  /** What Node would wait for. */
  readonly keepingAlive: number;
}

interface Ended {
  readonly fresh: Timers;
  readonly used: Timers;
  readonly opened: Timers;
  readonly closed: Timers;
  readonly state: string;
  readonly idleMs: number;
}

const hour = 3_600_000;

// The program imports axios by itself, the installed one, and time is the same for all: once is enough.
const inOneVersion = describeIf(isLatestAxios);

inOneVersion('a process with 10,000 breakers', () => {
  let ended: Ended;
  beforeAll(async () => void (ended = await runScript('timers-script.ts')), 30_000);

  it('holds no timer of theirs while they are closed and nothing is under way', () => {
    expect(ended.fresh).toEqual({ started: 0, held: 0, keepingAlive: 0 });
    expect(ended.used).toEqual({ started: 10_000, held: 0, keepingAlive: 0 });
    expect(ended.closed).toEqual({ started: 10_006, held: 0, keepingAlive: 0 });
  });

  it('holds one for the one that is open, and still ends by itself within a second', () => {
    expect(ended.state).toBe('open');
    expect(ended.opened).toEqual({ started: 10_006, held: 1, keepingAlive: 0 });
    expect(ended.idleMs).toBeLessThan(1_000);
  });
});

inOneVersion.each([
  { step: 'forward', by: hour },
  { step: 'back', by: -hour },
])('a wall clock that is put $step by an hour', ({ by }) => {
  expectQuietProcess();
  let rig: Rig;
  let offset: number;
  beforeEach(async () => {
    const realNow = Date.now;
    offset = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => realNow() + offset);
    rig = await startRig({ requestTimeout: 200 });
    rig.server.script('/down', [503]);
    rig.server.script('/silent', [{ behaviour: 'silent' }]);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rig.stop();
  });

  const stepClock = () => void (offset += by);

  it('neither ends an opening nor makes it longer', async () => {
    const { server, client, breaker, transitions } = rig;
    const start = performance.now();
    await inTurn(4, () => client.get('/down'));
    stepClock();
    await inTurn(1, () => client.get('/down'));
    expect(transitions).toEqual(['OPEN']);
    stepClock();
    expect(breaker.snapshot().retryAfterMs).toBeLessThanOrEqual(300);
    await until(() => breaker.getState() === 'closed');
    expect(performance.now() - start).toBeGreaterThanOrEqual(300);
    expect(server.hits()).toBe(5);
    await until(() => transitions.includes('CLOSE'));
  });

  it('neither empties the window nor makes a call look long or late', async () => {
    const { client, breaker } = rig;
    const durations: number[] = [];
    breaker.on('FAILURE', ({ durationMs }) => durations.push(durationMs));
    await inTurn(2, () => client.get('/down'));
    const call = client.get('/status/200');
    stepClock();
    await call;
    await inTurn(1, () => client.get('/down'));
    expect(breaker.snapshot().failureRate).toBe(0.75);
    expect(durations).toHaveLength(3);
    for (const durationMs of durations) expect(durationMs).toBeLessThan(60_000);
    expect(Math.min(...durations)).toBeGreaterThan(0);
  });

  it('leaves a request its own time', async () => {
    const { server, client } = rig;
    const start = performance.now();
    const call = outcome(client.get('/silent'));
    await until(() => server.hits('/silent') === 1);
    stepClock();
    await sleep(1);
    expect(isTimeoutError((await call).error)).toBe(true);
    const ms = performance.now() - start;
    expect(ms).toBeGreaterThanOrEqual(200);
    expect(ms).toBeLessThan(2_000);
  });
});
