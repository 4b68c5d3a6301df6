import type { AxiosError } from 'axios';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { outcome } from '../../support/rig.js';
import { expectRecovery, inTurn } from '../../support/steps.js';

/** What a team's handler makes of an error, and what the caller hears of it. */
const habits: {
  readonly habit: string;
  readonly handle: (error: AxiosError) => unknown;
  readonly heard: 'error' | 'value';
}[] = [
  {
    habit: "rejects with the response's data",
    handle: ({ response }) => Promise.reject(response?.data),
    heard: 'error',
  },
  {
    habit: 'rejects with a string',
    handle: ({ message }) => Promise.reject(`Sorry: ${message}` as unknown),
    heard: 'error',
  },
  { habit: 'returns nothing', handle: () => undefined, heard: 'value' },
];

const cases = habits.flatMap((habit) => orders.map((order) => ({ ...habit, order })));

describe('B7 · An earlier interceptor replaces or swallows the error', () => {
  expectQuietProcess();

  it.each(cases)(
    'opens at the 5th 503 though a handler ($order the breaker) $habit',
    async ({ handle, heard, order }) => {
      const clock = new ManualClock();
      const made: unknown[] = [];
      const handleAnswer = async (error: AxiosError) => {
        if (error.response === undefined) throw error;
        const result = await outcome(Promise.resolve(handle(error)));
        made.push(result[heard]);
        return handle(error);
      };
      const rig = await startRigBeside(
        order,
        ({ interceptors }) => interceptors.response.use(undefined, handleAnswer),
        { clock },
      );
      const { server, client, breaker, transitions } = rig;
      server.script('/', [503]);

      const outcomes = await inTurn(8, () => client.get('/'));

      expect(made).toHaveLength(5);
      outcomes.slice(0, 5).forEach((result, index) => {
        expect(Object.keys(result)).toEqual([heard]);
        expect(result[heard]).toBe(made[index]);
      });
      expect(outcomes.slice(5).every(({ error }) => isBreakerOpenError(error))).toBe(true);
      expect(server.hits('/')).toBe(5);
      expect(transitions).toEqual(['OPEN']);
      expect(breaker.snapshot().counts).toMatchObject({ admitted: 5, failure: 5, refused: 3 });

      await expectRecovery(rig, clock);
      await rig.stop();
    },
  );
});
