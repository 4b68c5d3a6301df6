import { isBreakerOpenError, type ErrorHandler } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import type { Answer } from '../../../test-server/answer.js';
import { openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { defaultOptions, outcome, startRig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { watch } from '../../support/watch.js';

interface Misbehaviour {
  readonly predicate: string;
  readonly errorHandler: ErrorHandler;
  readonly on: keyof typeof answers;
  readonly opens: boolean;
  /** What `onFault` is told; nothing where the answer is only an odd one. */
  readonly fault?: unknown;
}

const answers = {
  503: { answer: { status: 503 }, error: { response: { status: 503 } } },
  404: { answer: { status: 404 }, error: { response: { status: 404 } } },
  'a reset connection': { answer: { behaviour: 'reset' }, error: { code: 'ECONNRESET' } },
} satisfies Record<string, { answer: Answer; error: object }>;

const own = new Error('of the predicate');
const throws: ErrorHandler = () => {
  throw own;
};
const returns = (answer: unknown) => () => answer as boolean;
const aPromise: unknown = expect.objectContaining({
  message: expect.stringContaining('got a promise') as unknown,
});

const misbehaviours: Misbehaviour[] = [
  { predicate: 'throws', errorHandler: throws, on: 503, opens: true, fault: own },
  { predicate: 'throws', errorHandler: throws, on: 404, opens: false, fault: own },
  {
    predicate: 'promises false',
    errorHandler: () => Promise.resolve(false) as unknown as boolean,
    on: 503,
    opens: true,
    fault: aPromise,
  },
  {
    predicate: 'promises true',
    errorHandler: () => Promise.resolve(true) as unknown as boolean,
    on: 404,
    opens: false,
    fault: aPromise,
  },
  {
    predicate: 'promises, and breaks it',
    errorHandler: () => Promise.reject(own) as unknown as boolean,
    on: 503,
    opens: true,
    fault: aPromise,
  },
  { predicate: 'returns 0', errorHandler: returns(0), on: 503, opens: false },
  { predicate: "returns ''", errorHandler: returns(''), on: 503, opens: false },
  { predicate: 'returns an object', errorHandler: returns({}), on: 404, opens: true },
  {
    predicate: 'reads a status that is not there',
    errorHandler: (error) => (error.response as { status: number }).status >= 500,
    on: 'a reset connection',
    opens: true,
    fault: expect.any(TypeError),
  },
];

describe('C7 · The predicate misbehaves', () => {
  expectQuietProcess();

  it.each(misbehaviours)(
    'leaves the error to the caller, and the circuit usable, when it $predicate on $on (opens: $opens)',
    async ({ errorHandler, on, opens, fault }) => {
      const clock = new ManualClock();
      const rig = await startRig({ errorHandler, clock });
      const { server, client, breaker, transitions, faults } = rig;
      const { answer, error } = answers[on];
      server.script('/', [answer]);

      const outcomes = await inTurn(10, () => client.get('/'));

      const sent = opens ? 5 : 10;
      for (const failed of outcomes.slice(0, sent)) expect(failed.error).toMatchObject(error);
      expect(outcomes.slice(sent).every(({ error }) => isBreakerOpenError(error))).toBe(true);
      expect(server.hits('/')).toBe(sent);
      expect(transitions).toEqual(opens ? ['OPEN'] : []);
      expect(breaker.snapshot().counts).toMatchObject({ admitted: sent, refused: 10 - sent });

      clock.advance(defaultOptions.cooldown);
      expect((await outcome(client.get('/'))).error).toMatchObject(error);
      server.script('/', [200]);
      expect(await outcome(client.get('/'))).toMatchObject({ value: { status: 200 } });
      expect(server.hits('/')).toBe(sent + 2);
      expect(breaker.getState()).toBe('closed');
      expect(faults).toEqual(fault ? [{ error: fault, source: 'errorHandler' }] : []);
      await rig.stop();
    },
  );

  it.each(misbehaviours)(
    'leaves the error to the caller, and no slot taken, when it $predicate on $on as a probe (opens: $opens)',
    async ({ errorHandler, on, opens, fault }) => {
      const clock = new ManualClock();
      const predicate: { ask: ErrorHandler } = { ask: () => true };
      const rig = await startRig({
        ...probing,
        errorHandler: (error) => predicate.ask(error),
        clock,
      });
      const { server, client, breaker, faults } = rig;
      await openHalfway(rig, clock);
      const told = watch(breaker);
      const { answer, error } = answers[on];
      server.script('/', [answer, 200]);
      predicate.ask = errorHandler;

      expect((await outcome(client.get('/'))).error).toMatchObject(error);
      expect(told).toEqual(
        opens ? ['FAILURE', 'OPEN probe-failed 300'] : ['SUCCESS', 'CLOSE probes-passed 300'],
      );
      expect(faults).toEqual(fault ? [{ error: fault, source: 'errorHandler' }] : []);

      clock.advance(defaultOptions.cooldown);
      expect(await outcome(client.get('/'))).toMatchObject({ value: { status: 200 } });
      expect(server.hits('/')).toBe(2);
      expect(breaker.getState()).toBe('closed');
      await rig.stop();
    },
  );
});
