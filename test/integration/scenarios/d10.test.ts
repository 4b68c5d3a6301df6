import axios from 'axios';
import { CircuitBreaker, isBreakerOpenError, isTimeoutError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { describeIf, isAxiosFrom } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, sleep, startRig } from '../../support/rig.js';
import { openWith503 } from '../../support/steps.js';
import { counts } from '../../support/watch.js';
import { until } from '../../test-server/exchange.js';

const huge = 2 ** 31;

const badTimes: { readonly time: unknown; readonly ErrorType: typeof Error }[] = [
  { time: NaN, ErrorType: RangeError },
  { time: -1, ErrorType: RangeError },
  { time: -Infinity, ErrorType: RangeError },
  { time: '300', ErrorType: TypeError },
  { time: '', ErrorType: TypeError },
];

const bad = (['cooldown', 'requestTimeout'] as const).flatMap((option) =>
  badTimes.map((time) => ({ option, ...time })),
);

describe('D10 · Huge or infinite open times', () => {
  expectQuietProcess();

  it.each([huge, Infinity])(
    'still refuses after 50 ms of a cooldown of %d ms',
    async (cooldown) => {
      const rig = await startRig({ cooldown });
      const { server, client, breaker, transitions } = rig;
      await openWith503(rig);

      await sleep(50);

      const { error } = await outcome(client.get('/'));
      expect(isBreakerOpenError(error)).toBe(true);
      expect(server.hits('/')).toBe(0);
      expect(breaker.getState()).toBe('open');
      expect(transitions).toEqual(['OPEN']);
      breaker.detach();
      await rig.stop();
    },
  );

  // axios 1.0 takes no headers from an object of another realm, as Jest gives it those of Node.
  describeIf(!isAxiosFrom(1, 0) || isAxiosFrom(1, 1))('that the server states', () => {
    it.each([
      ['its cap of a day', undefined, 86_400_000],
      ['all of them', { maxWait: 2_592_000_000 }, 2_592_000_000],
    ])('still refuses after 50 ms of 30 days: %s', async (_, rateLimit, ms) => {
      const rig = await startRig({ rateLimit });
      const { server, client, breaker, transitions } = rig;
      server.script('/', [{ status: 429, headers: { 'retry-after': '2592000' } }]);
      await outcome(client.get('/'));

      await sleep(50);

      const { error } = await outcome(client.get('/'));
      expect(isBreakerOpenError(error) && error.retryAfterMs).toBeLessThanOrEqual(ms - 50);
      expect(isBreakerOpenError(error) && error.retryAfterMs).toBeGreaterThan(ms - 60_000);
      expect(server.hits('/')).toBe(1);
      expect(transitions).toEqual(['OPEN']);
      breaker.detach();
      await rig.stop();
    });
  });

  it('ends a cooldown of 2 ** 31 ms after that very time', async () => {
    const clock = new ManualClock();
    const rig = await startRig({ cooldown: huge, clock });
    const { breaker, transitions } = rig;
    await openWith503(rig);

    clock.advance(huge - 1);
    expect(breaker.getState()).toBe('open');
    clock.advance(1);
    expect(breaker.getState()).toBe('closed');
    expect(transitions).toEqual(['OPEN', 'CLOSE']);
    await rig.stop();
  });

  it('waits for an answer that has 2 ** 31 ms to come', async () => {
    const rig = await startRig({ requestTimeout: huge });
    const { server, client, breaker } = rig;
    server.script('/', [{ delay: 100 }]);
    expect((await client.get('/')).status).toBe(200);
    expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, success: 1 }));
    await rig.stop();
  });

  it('ends a request that has 2 ** 31 ms after that very time', async () => {
    const clock = new ManualClock();
    const rig = await startRig({ requestTimeout: huge, clock });
    const { server, client, breaker } = rig;
    server.script('/', [{ behaviour: 'silent' }]);
    const call = outcome(client.get('/'));
    await until(() => server.hits('/') === 1);

    clock.advance(huge - 1);
    await sleep(1);
    expect(breaker.snapshot().inFlight).toBe(1);
    clock.advance(1);
    expect(isTimeoutError((await call).error)).toBe(true);
    expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, failure: 1 }));
    await rig.stop();
  });

  it.each(bad)('refuses a $option of $time when it is attached', ({ option, time, ErrorType }) => {
    const attach = () => new CircuitBreaker(axios.create(), { [option]: time as number });
    expect(attach).toThrow(ErrorType);
    expect(attach).toThrow(`\`${option}\``);
  });
});
