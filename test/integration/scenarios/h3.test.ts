import type { AxiosError } from 'axios';
import { isBreakerOpenError, type BreakerEventName } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectProbeRecovery, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, sleep, startRig, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { times, watch } from '../../support/watch.js';

const allEvents: BreakerEventName[] = [
  'OPEN',
  'HALF_OPEN',
  'CLOSE',
  'REFUSE',
  'SUCCESS',
  'FAILURE',
  'IGNORE',
];

/** Listeners that fail, each in a way of its own. */
const faults = [
  {
    title: 'throw',
    fail: (error: Error) => {
      throw error;
    },
  },
  { title: 'reject', fail: (error: Error) => Promise.reject(error) },
];

describe('H3 · A listener throws', () => {
  expectQuietProcess();
  const clock = new ManualClock();
  let rig: Rig;
  afterEach(() => rig.stop());

  describe.each(faults)('listeners that $title', ({ fail }) => {
    const failOn = (name: BreakerEventName) => () => fail(new Error(`the listener of ${name}`));

    it('change nothing: callers, states and other listeners get their own', async () => {
      rig = await startRig({ ...probing, clock });
      const { server, client, breaker } = rig;
      for (const name of allEvents) breaker.on(name, failOn(name));
      const told = watch(breaker);
      const judged: unknown[] = [];
      breaker.on('FAILURE', ({ error }) => judged.push(error));
      server.script('/', [...times(5, 503), 200]);

      const outcomes = await inTurn(6, () => client.get('/'));
      const errors = outcomes.map(({ error }) => error as AxiosError);
      expect(errors.map(({ response, message }) => response?.status ?? message)).toEqual([
        ...times(5, 503),
        'Circuit breaker is open',
      ]);
      judged.forEach((error, index) => expect(error).toBe(errors[index]));
      expect(breaker.getState()).toBe('open');

      clock.advance(300);
      expect(breaker.getState()).toBe('half-open');
      expect((await client.get('/')).status).toBe(200);
      expect(breaker.getState()).toBe('closed');
      expect(server.hits()).toBe(6);
      expect(told).toEqual([
        ...times(5, 'FAILURE'),
        'OPEN consecutive 300',
        'REFUSE',
        'HALF_OPEN',
        'SUCCESS',
        'CLOSE probes-passed 300',
      ]);
    });

    it('are reported to onFault, each event once', async () => {
      rig = await startRig({ ...probing, clock });
      const { server, client, breaker } = rig;
      for (const name of allEvents) breaker.on(name, failOn(name));
      server.script('/', [...times(5, 503), 200]);
      await inTurn(7, () => client.get('/'));
      clock.advance(300);
      await client.get('/');
      await sleep(0);

      const names = ['FAILURE', 'OPEN', 'REFUSE', 'HALF_OPEN', 'SUCCESS', 'CLOSE'];
      expect(rig.faults).toEqual(
        names.map((name) => ({
          source: `listener:${name}`,
          error: new Error(`the listener of ${name}`),
        })),
      );
    });
  });

  it('sees the new state already, whether it throws or not', async () => {
    rig = await startRig({ ...probing, clock });
    const { server, client, breaker } = rig;
    const seen: unknown[] = [];
    const lookAndThrow = () => {
      seen.push([breaker.getState(), breaker.getStatus()]);
      throw new Error('after a look');
    };
    for (const name of ['OPEN', 'HALF_OPEN', 'CLOSE'] as const) breaker.on(name, lookAndThrow);
    server.script('/', [503]);
    await inTurn(5, () => client.get('/'));
    await expectProbeRecovery(rig, clock);
    expect(seen).toEqual([
      ['open', true],
      ['half-open', false],
      ['closed', false],
    ]);
  });

  it('may send a request, and throw then: every listener hears the events in their order', async () => {
    rig = await startRig({ ...probing, clock });
    const { server, client, breaker } = rig;
    const requests: ReturnType<typeof outcome>[] = [];
    breaker.on('OPEN', () => {
      requests.push(outcome(client.get('/')));
      throw new Error('after a request');
    });
    const told = watch(breaker);
    server.script('/', [503]);

    await inTurn(5, () => client.get('/'));
    const [refused] = await Promise.all(requests);
    expect(isBreakerOpenError(refused?.error)).toBe(true);
    expect(told).toEqual([...times(5, 'FAILURE'), 'OPEN consecutive 300', 'REFUSE']);
    expect(server.hits()).toBe(5);
  });

  it('may send the probe, and throw then: it is the one, and others are refused', async () => {
    rig = await startRig({ ...probing, clock });
    const { server, client, breaker } = rig;
    const probes: ReturnType<typeof outcome>[] = [];
    breaker.on('HALF_OPEN', () => {
      probes.push(outcome(client.get('/')));
      throw new Error('after the probe');
    });
    server.script('/', [...times(5, 503), { delay: 20 }]);
    await inTurn(5, () => client.get('/'));
    const told = watch(breaker);

    clock.advance(300);
    const { error } = await outcome(client.get('/'));
    expect(error).toMatchObject({ isBreakerOpenError: true, state: 'half-open' });
    expect(await Promise.all(probes)).toMatchObject([{ value: { status: 200 } }]);
    expect(told).toEqual(['HALF_OPEN', 'REFUSE', 'SUCCESS', 'CLOSE probes-passed 300']);
    expect(server.hits()).toBe(6);
  });

  it('may give a command, and throw then: events are told one after the other', async () => {
    rig = await startRig({ ...probing, clock });
    const { server, client, breaker } = rig;
    breaker.on('OPEN', () => {
      breaker.close();
      throw new Error('after closing it');
    });
    const told = watch(breaker);
    server.script('/', [...times(5, 503), 200]);

    await inTurn(6, () => client.get('/'));
    expect(told).toEqual([
      ...times(5, 'FAILURE'),
      'OPEN consecutive 300',
      'CLOSE manual 0',
      'SUCCESS',
    ]);
    expect(server.hits()).toBe(6);
  });

  it('is told to the process as a warning where there is no onFault', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    rig = await startRig({ clock, onFault: undefined });
    rig.breaker.on('OPEN', () => {
      throw new Error('no onFault');
    });
    rig.breaker.open();
    expect(warn.mock.calls).toEqual([['listener:OPEN threw: no onFault', 'CircuitBreakerWarning']]);
    warn.mockRestore();
  });

  it('changes nothing even where onFault throws too', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const onFault = () => {
      throw new Error('onFault');
    };
    rig = await startRig({ clock, onFault });
    const { server, client, breaker } = rig;
    breaker.on('SUCCESS', () => {
      throw new Error('a listener');
    });
    server.script('/', [200]);
    expect((await client.get('/')).status).toBe(200);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});
