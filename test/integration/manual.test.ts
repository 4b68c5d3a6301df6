import { isBreakerOpenError, type BreakerEvents } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { holdAnswer } from '../support/held-answer.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { outcome, startRig, type Rig } from '../support/rig.js';
import { inTurn } from '../support/steps.js';
import { counts, times, watch } from '../support/watch.js';

describe('manual control', () => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  let told: string[];
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig({ clock });
    told = watch(rig.breaker);
    rig.server.script('/up', [200]);
    rig.server.script('/down', [503]);
  });
  afterEach(() => rig.stop());

  const up = () => rig.client.get('/up');
  const down = () => rig.client.get('/down');
  const trip = async () => {
    await inTurn(5, down);
    expect(told.splice(0)).toEqual([...times(5, 'FAILURE'), 'OPEN consecutive 300']);
  };

  describe('open()', () => {
    it('refuses every request until close(), however long that takes', async () => {
      const { breaker, server } = rig;
      const events: BreakerEvents['OPEN'][] = [];
      breaker.on('OPEN', (event) => events.push(event));

      breaker.open();
      clock.advance(10 ** 9);
      expect(breaker.getStatus()).toBe(true);
      expect(breaker.getState()).toBe('forced-open');
      const { error } = await outcome(up());
      expect(isBreakerOpenError(error)).toBe(true);
      expect(error).toMatchObject({
        state: 'forced-open',
        reason: 'manual',
        retryAfterMs: Infinity,
      });
      expect((error as Error).cause).toBeUndefined();
      expect(server.hits()).toBe(0);

      breaker.close();
      expect(breaker.getStatus()).toBe(false);
      await up();
      expect(server.hits()).toBe(1);
      expect(told).toEqual([
        'OPEN manual Infinity',
        'REFUSE',
        'CLOSE manual 1000000000',
        'SUCCESS',
      ]);
      expect(events).toEqual([
        { key: 'default', reason: 'manual', error: undefined, cooldownMs: Infinity },
      ]);
    });

    it('holds an open circuit open past its cooldown, and tells so', async () => {
      const { breaker } = rig;
      await trip();
      clock.advance(100);
      breaker.open();
      clock.advance(1_000);
      expect(breaker.getState()).toBe('forced-open');
      breaker.close();
      expect(told).toEqual(['OPEN manual Infinity', 'CLOSE manual 1100']);
      expect(breaker.snapshot().counts).toEqual(counts({ admitted: 5, failure: 5, opened: 2 }));
    });
  });

  describe('close()', () => {
    it('ends an opening before its cooldown has passed', async () => {
      const { breaker } = rig;
      await trip();
      clock.advance(100);
      breaker.close();
      expect((await up()).status).toBe(200);
      clock.advance(1_000);
      expect(told).toEqual(['CLOSE manual 100', 'SUCCESS']);
    });

    it('forgets the failures so far, also where it was closed already', async () => {
      const { breaker } = rig;
      await inTurn(4, down);
      expect(breaker.snapshot().failureRate).toBe(1);
      breaker.close();
      expect(breaker.snapshot().failureRate).toBe(0);
      await inTurn(4, down);
      expect(breaker.getState()).toBe('closed');
      await inTurn(1, down);
      expect(breaker.getState()).toBe('open');
      expect(told).toEqual([...times(9, 'FAILURE'), 'OPEN consecutive 300']);
    });
  });

  describe('disable()', () => {
    it('admits every request whatever comes of it, and counts only totals', async () => {
      const { breaker, server } = rig;
      breaker.disable();
      await inTurn(10, down);
      await up();
      expect(server.hits()).toBe(11);
      expect(breaker.snapshot()).toMatchObject({
        state: 'disabled',
        failureRate: 0,
        counts: counts({ admitted: 11, failure: 10, success: 1 }),
      });
      expect(breaker.getStatus()).toBe(false);

      breaker.close();
      await inTurn(4, down);
      expect(breaker.getState()).toBe('closed');
      expect(told).toEqual([...times(10, 'FAILURE'), 'SUCCESS', ...times(4, 'FAILURE')]);
    });

    it.each(['open', 'forced-open'])('tells that it ends the state %s', async (state) => {
      const { breaker } = rig;
      if (state === 'open') await trip();
      else breaker.open();
      expect(breaker.getState()).toBe(state);
      told.splice(0);
      breaker.disable();
      clock.advance(1_000);
      expect((await up()).status).toBe(200);
      expect(told).toEqual(['CLOSE manual 0', 'SUCCESS']);
    });
  });

  it('tells nothing of a command that leaves the state as it is', () => {
    const { breaker } = rig;
    breaker.close();
    breaker.close();
    expect(told).toEqual([]);
    breaker.open();
    breaker.open();
    breaker.open('default');
    expect(told).toEqual(['OPEN manual Infinity']);
    breaker.disable();
    breaker.disable();
    breaker.close();
    expect(told).toEqual(['OPEN manual Infinity', 'CLOSE manual 0']);
    expect(breaker.snapshot().counts.opened).toBe(1);
  });

  it.each(['open', 'close', 'disable'] as const)(
    'makes late what is in flight: its failure counts in totals only after %s()',
    async (command) => {
      const { breaker, client } = rig;
      const held = times(5, undefined).map(holdAnswer);
      const requests = held.map(({ adapter }) => outcome(client.get('/down', { adapter })));
      await Promise.all(held.map(({ sent }) => sent));
      breaker[command]();
      for (const { release } of held) release();
      await Promise.all(requests);
      breaker.close();

      expect(told.filter((event) => event !== 'FAILURE late')).toEqual(
        command === 'open' ? ['OPEN manual Infinity', 'CLOSE manual 0'] : [],
      );
      expect(breaker.snapshot()).toMatchObject({
        state: 'closed',
        failureRate: 0,
        counts: { admitted: 5, failure: 5, late: 5 },
      });
    },
  );

  it('lets requests pass once detached, even from a circuit that was forced open', async () => {
    const { breaker, server } = rig;
    breaker.open();
    breaker.detach();
    expect((await up()).status).toBe(200);
    breaker.close();
    breaker.open();
    expect((await up()).status).toBe(200);
    expect(server.hits()).toBe(2);
    expect(told).toEqual(['OPEN manual Infinity']);
  });
});

describe('late answers', () => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  let told: string[];
  let held: ReturnType<typeof holdAnswer>;
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig({ clock });
    told = watch(rig.breaker);
    held = holdAnswer();
    rig.server.script('/down', [503]);
  });
  afterEach(() => rig.stop());

  const down = () => rig.client.get('/down');
  const askSlowly = async (path: string) => {
    const answer = outcome(rig.client.get(path, { adapter: held.adapter }));
    await held.sent;
    return () => {
      held.release();
      return answer;
    };
  };

  it('do not close it: a slow 200 that comes after the opening', async () => {
    const { breaker, server } = rig;
    server.script('/slow', [200]);
    const finish = await askSlowly('/slow');
    await inTurn(5, down);
    expect(breaker.getState()).toBe('open');

    expect((await finish()).value).toMatchObject({ status: 200 });
    expect(breaker.getState()).toBe('open');
    expect(isBreakerOpenError((await outcome(down())).error)).toBe(true);
    expect(told).toEqual([
      ...times(5, 'FAILURE'),
      'OPEN consecutive 300',
      'SUCCESS late',
      'REFUSE',
    ]);
    expect(breaker.snapshot().counts).toEqual(
      counts({ admitted: 6, refused: 1, failure: 5, success: 1, late: 1, opened: 1 }),
    );
  });

  it('do not open it again: a failure of the time before the opening', async () => {
    const { breaker } = rig;
    const finish = await askSlowly('/down');
    await inTurn(5, down);
    clock.advance(300);
    told.splice(0);

    expect((await finish()).error).toMatchObject({ response: { status: 503 } });
    expect(breaker.snapshot()).toMatchObject({ state: 'closed', failureRate: 0 });
    await inTurn(4, down);
    expect(breaker.getState()).toBe('closed');
    await inTurn(1, down);
    expect(told).toEqual(['FAILURE late', ...times(5, 'FAILURE'), 'OPEN consecutive 300']);
    expect(breaker.snapshot().counts).toEqual(
      counts({ admitted: 11, failure: 11, late: 1, opened: 2 }),
    );
  });
});

describe('reading', () => {
  expectQuietProcess();
  let now = 0;
  /** Its timers never fire: what happens on it, a request has made happen. */
  const clock = { now: () => now, setTimeout: () => undefined, clearTimeout: () => undefined };
  let rig: Rig;
  let told: string[];
  beforeEach(async () => {
    now = 0;
    rig = await startRig({ clock, name: 'shop' });
    told = watch(rig.breaker);
    rig.server.script('/', [...times(5, 503), 200]);
    await inTurn(5, () => rig.client.get('/'));
  });
  afterEach(() => rig.stop());

  it('shows all figures of an open circuit', () => {
    now = 100;
    expect(rig.breaker.keys()).toEqual(['default']);
    expect(rig.breaker.snapshot()).toEqual({
      name: 'shop',
      key: 'default',
      state: 'open',
      failureRate: 0,
      slowRate: 0,
      inFlight: 0,
      queued: 0,
      retryAfterMs: 200,
      openReason: 'consecutive',
      lastError: {
        message: 'Request failed with status code 503',
        code: 'ERR_BAD_RESPONSE',
        status: 503,
      },
      counts: counts({ admitted: 5, failure: 5, opened: 1 }),
    });
    expect(rig.breaker.snapshot('default')).toEqual(rig.breaker.snapshot());
  });

  it('gives the state as of now, and leaves it to a request to bring it about', async () => {
    const { breaker, client } = rig;
    told.splice(0);
    now = 299;
    expect([breaker.getState(), breaker.getStatus()]).toEqual(['open', true]);
    expect(breaker.snapshot().retryAfterMs).toBe(1);
    now = 1_000;
    for (let reading = 1; reading <= 3; reading += 1) {
      expect([breaker.getState(), breaker.getStatus()]).toEqual(['closed', false]);
      expect(breaker.snapshot()).toMatchObject({ state: 'closed', retryAfterMs: 0 });
      expect(breaker.keys()).toEqual(['default']);
    }
    expect(told).toEqual([]);

    expect((await client.get('/')).status).toBe(200);
    expect(told).toEqual(['CLOSE cooldown-elapsed 300', 'SUCCESS']);
  });

  it('hands out figures of its own: who changes them changes nothing', () => {
    const { breaker } = rig;
    const before = breaker.snapshot();
    const changed = breaker.snapshot();
    Reflect.set(changed, 'state', 'closed');
    Reflect.set(changed.counts, 'failure', 99);
    breaker.keys().push('mine');
    expect(breaker.snapshot()).toEqual(before);
    expect(breaker.keys()).toEqual(['default']);
  });
});
