import type { AxiosError } from 'axios';
import { isBreakerOpenError } from '../../../src/index.js';
import { describeIf, sendsConfigsAgain } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { noRetries, retryPlugins, type RetryPlugin } from '../../support/retry-plugins.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { outcome, type Rig } from '../../support/rig.js';
import { counts, times, watch } from '../../support/watch.js';

const conditions = [
  { title: 'its own condition', conditionOf: () => undefined },
  {
    title: 'the documented condition',
    conditionOf: (plugin: RetryPlugin) => (error: AxiosError) =>
      !isBreakerOpenError(error) && plugin.ownCondition(error),
  },
  { title: 'a condition that takes any error', conditionOf: () => () => true },
];

const setups = retryPlugins.flatMap((plugin) =>
  orders.flatMap((order) => conditions.map((condition) => ({ plugin, order, ...condition }))),
);

describe('G3 · Retry plugins and the open error', () => {
  expectQuietProcess();
  let rig: Rig;
  afterEach(() => rig.stop());

  describe.each(setups)(
    '$plugin.name with $title, registered $order the breaker',
    ({ plugin, order, conditionOf }) => {
      it('takes a refusal for final: once, and at once', async () => {
        // A refusal that is tried again takes longer than the test may.
        const settings = { retries: 3, delay: 60_000, condition: conditionOf(plugin) };
        rig = await startRigBeside(order, (client) => plugin.register(client, settings), {
          consecutiveFailures: 1,
          cooldown: 60_000,
        });
        const { server, client, breaker } = rig;
        const told = watch(breaker);
        const refusals: unknown[] = [];
        breaker.on('REFUSE', (event) => refusals.push(event.error));
        server.script('/', [503]);
        await outcome(client.get('/', noRetries));
        expect(told).toEqual(['FAILURE', 'OPEN consecutive 60000']);

        const { error } = await outcome(client.get('/'));
        expect(isBreakerOpenError(error)).toBe(true);
        expect(refusals).toHaveLength(1);
        expect(refusals[0]).toBe(error);
        expect(server.hits()).toBe(1);
        expect(breaker.snapshot().counts).toEqual(
          counts({ admitted: 1, refused: 1, failure: 1, opened: 1 }),
        );
      });
    },
  );

  describeIf(sendsConfigsAgain)('the request after a refusal', () => {
    it.each(retryPlugins)('is retried by $name as its config says', async (plugin) => {
      rig = await startRigBeside('before', (client) =>
        plugin.register(client, { retries: 0, delay: 1 }),
      );
      const { server, client, breaker } = rig;
      const told = watch(breaker);
      const config = { 'axios-retry': { retries: 2 }, raxConfig: { retry: 2 } };
      server.script('/', [503, 503, 200]);

      breaker.open();
      const { error } = await outcome(client.get('/', config));
      expect(isBreakerOpenError(error)).toBe(true);
      breaker.close();
      expect((await client.get('/', config)).status).toBe(200);
      expect(told.slice(3)).toEqual([...times(2, 'FAILURE'), 'SUCCESS']);
    });
  });
});
