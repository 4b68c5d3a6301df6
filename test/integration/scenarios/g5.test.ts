import { setupCache } from 'axios-cache-interceptor';
import { isBreakerOpenError } from '../../../src/index.js';
import { describeIf, isAxiosFrom } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { outcome, type Rig } from '../../support/rig.js';
import { counts, times, watch } from '../../support/watch.js';

// axios-cache-interceptor 1.12.3 wants axios ^1.19.0.
describeIf(isAxiosFrom(1, 19))('G5 · A refusal must not wedge the cache plugin', () => {
  expectQuietProcess();
  let rig: Rig;
  afterEach(() => rig.stop());

  describe.each(orders)('axios-cache-interceptor registered %s the breaker', (order) => {
    it('asks the server again once the circuit is closed, and caches its answer', async () => {
      rig = await startRigBeside(order, (client) => void setupCache(client));
      const { server, client, breaker } = rig;
      const told = watch(breaker);
      server.script('/b', [200]);

      breaker.open();
      expect(isBreakerOpenError((await outcome(client.get('/b'))).error)).toBe(true);
      breaker.close();
      expect((await client.get('/b', { timeout: 1_000 })).status).toBe(200);
      expect(told).toEqual([
        'OPEN manual Infinity',
        'REFUSE',
        expect.stringMatching(/^CLOSE manual /),
        'SUCCESS',
      ]);
      expect(breaker.snapshot().counts).toEqual(
        counts({ admitted: 1, refused: 1, success: 1, opened: 1 }),
      );

      expect((await client.get('/b')).status).toBe(200);
      expect(server.hits()).toBe(1);
    });

    it('refuses each of the requests that wait for the same answer', async () => {
      rig = await startRigBeside(order, (client) => void setupCache(client));
      const { server, client, breaker } = rig;
      const askTogether = () =>
        Promise.all(times(3, '/b').map((path) => outcome(client.get(path))));
      server.script('/b', [200]);

      breaker.open();
      const refusals = await askTogether();
      expect(refusals.map(({ error }) => isBreakerOpenError(error))).toEqual(times(3, true));
      expect(server.hits()).toBe(0);
      expect(breaker.snapshot().counts).toEqual(counts({ refused: 3, opened: 1 }));

      breaker.close();
      const answers = await askTogether();
      expect(answers.map(({ value }) => (value as { status: number }).status)).toEqual(
        times(3, 200),
      );
      expect(server.hits()).toBe(1);
    });
  });
});
