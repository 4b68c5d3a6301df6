import { isBreakerOpenError } from '../../../src/index.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { defaultOptions, outcome, startRig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';

describe('Judging under fake timers', () => {
  expectQuietProcess();
  afterEach(() => jest.useRealTimers());

  it.each([
    { timers: 'modern', legacyFakeTimers: false as const },
    { timers: 'legacy', legacyFakeTimers: true as const },
  ])(
    'has opened when the caller hears of the 5th failure ($timers)',
    async ({ legacyFakeTimers }) => {
      jest.useFakeTimers({ legacyFakeTimers });
      const rig = await startRig();
      rig.server.script('/', [503]);

      await inTurn(5, () => rig.client.get('/'));

      expect(rig.transitions).toEqual(['OPEN']);
      expect(isBreakerOpenError((await outcome(rig.client.get('/'))).error)).toBe(true);
      expect(rig.server.hits('/')).toBe(5);
      await rig.stop();
    },
  );

  it('closes when the fake time has come', async () => {
    jest.useFakeTimers();
    const rig = await startRig();
    rig.server.script('/', [503]);
    await inTurn(5, () => rig.client.get('/'));

    jest.advanceTimersByTime(defaultOptions.cooldown - 1);
    expect(rig.breaker.getState()).toBe('open');
    jest.advanceTimersByTime(1);

    expect(rig.transitions).toEqual(['OPEN', 'CLOSE']);
    rig.server.script('/', [200]);
    expect(await outcome(rig.client.get('/'))).toMatchObject({ value: { status: 200 } });
    await rig.stop();
  });
});
