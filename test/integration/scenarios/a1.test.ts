import type { AxiosInstance } from 'axios';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { outcome } from '../../support/rig.js';
import { expectRecovery, inTurn } from '../../support/steps.js';

describe('A1 · Open circuit when every request interceptor is synchronous', () => {
  expectQuietProcess();

  it.each(orders)(
    'rejects with one error for all who listen (interceptors put on %s the breaker)',
    async (order) => {
      const clock = new ManualClock();
      const rig = await startRigBeside(order, addSynchronousInterceptors, { clock });
      const { server, client, breaker, transitions } = rig;
      const seen: unknown[] = [];
      client.interceptors.response.use(undefined, (error) => {
        seen.push(error);
        throw error;
      });
      server.script('/', [503]);
      await inTurn(5, () => client.get('/'));
      expect(transitions).toEqual(['OPEN']);
      seen.length = 0;

      const calls = Array.from({ length: 10 }, () => client.get('/'));
      expect(calls.every((call) => call instanceof Promise)).toBe(true);
      const errors = (await Promise.all(calls.map(outcome))).map(({ error }) => error);

      expect(errors.every(isBreakerOpenError)).toBe(true);
      expect(new Set(errors).size).toBe(10);
      expect(seen).toHaveLength(10);
      seen.forEach((error, index) => expect(error).toBe(errors[index]));
      expect(server.hits('/')).toBe(5);
      expect(breaker.snapshot().counts).toMatchObject({ admitted: 5, failure: 5, refused: 10 });
      await expectRecovery(rig, clock);
      await rig.stop();
    },
  );

  it.each(orders)(
    'leaves the chain synchronous: a request is sent before get() returns (interceptors put on %s the breaker)',
    async (order) => {
      const rig = await startRigBeside(order, addSynchronousInterceptors);
      const adapter = jest.fn(() => new Promise<never>((_, reject) => reject(new Error('down'))));

      const call = rig.client.get('/', { adapter });
      expect(adapter).toHaveBeenCalledTimes(1);
      await outcome(call);
      await rig.stop();
    },
  );
});

function addSynchronousInterceptors({ interceptors }: AxiosInstance): void {
  interceptors.request.use((config) => config, null, { synchronous: true });
  interceptors.request.use((config) => config, null, { synchronous: true });
}
