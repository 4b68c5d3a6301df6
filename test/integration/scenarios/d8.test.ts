import type { AxiosAdapter } from 'axios';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { describeIf, isLatestAxios } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, sleep, startRig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { counts, times } from '../../support/watch.js';
import { wireAdapter } from '../../support/wire.js';

const cooldown = 200;

describe('D8 · Constant traffic while open', () => {
  expectQuietProcess();

  it('ends the cooldown on time, however many calls are refused meanwhile', async () => {
    const clock = new ManualClock();
    const rig = await startRig({ cooldown, clock });
    const { server, client, breaker, transitions } = rig;
    server.script('/', [...times(5, 503), 200]);
    await inTurn(5, () => client.get('/'));

    for (let elapsed = 0; elapsed < cooldown; elapsed += 10) {
      expect(isBreakerOpenError((await outcome(client.get('/'))).error)).toBe(true);
      clock.advance(10);
    }

    expect(await client.get('/')).toMatchObject({ status: 200 });
    expect(transitions).toEqual(['OPEN', 'CLOSE']);
    expect(breaker.snapshot().counts).toEqual(
      counts({ admitted: 6, failure: 5, success: 1, refused: 20, opened: 1 }),
    );
    await rig.stop();
  });

  // Time is the same on every axios.
  describeIf(isLatestAxios)('in real time', () => {
    it('sends nothing before the cooldown is over, and the next call after it', async () => {
      let sentAt = 0;
      const adapter: AxiosAdapter = (config) => {
        sentAt = performance.now();
        return wireAdapter(config);
      };
      const rig = await startRig({ cooldown }, { adapter });
      const { server, client, breaker, transitions } = rig;
      server.script('/', [503]);
      await inTurn(4, () => client.get('/'));
      const beforeOpening = performance.now();
      await inTurn(1, () => client.get('/'));
      expect(transitions).toEqual(['OPEN']);

      let refused = 0;
      let answer = await outcome(client.get('/'));
      for (; isBreakerOpenError(answer.error); answer = await outcome(client.get('/'))) {
        refused += 1;
        if (performance.now() - beforeOpening >= 50) server.script('/', [200]);
        expect(performance.now() - beforeOpening).toBeLessThan(10 * cooldown);
        await sleep(10);
      }

      expect(answer.value).toMatchObject({ status: 200 });
      expect(server.hits('/')).toBe(6);
      expect(sentAt - beforeOpening).toBeGreaterThanOrEqual(cooldown);
      expect(breaker.getState()).toBe('closed');
      expect(transitions).toEqual(['OPEN', 'CLOSE']);
      expect(refused).toBeGreaterThan(1);
      expect(breaker.snapshot().counts).toMatchObject({
        admitted: 6,
        failure: 5,
        success: 1,
        refused,
      });
      await rig.stop();
    });
  });
});
