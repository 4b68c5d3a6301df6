import axios from 'axios';
import MockAdapter from 'axios-mock-adapter';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { describeIf, isAxiosFrom } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { defaultOptions } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { expectThirdTimeoutOpens, timeoutNames } from '../../support/timeouts.js';
import { adapterNames } from '../../support/wire.js';

describe('C1 · Timeouts under every name', () => {
  expectQuietProcess();

  it.each(timeoutNames)(
    'opens after the third timeout of the http adapter $naming',
    ({ config, error }) => expectThirdTimeoutOpens(config, error),
  );

  describeIf(adapterNames.includes('fetch'))('with fetch', () => {
    it.each(timeoutNames)(
      'opens after the third timeout of the fetch adapter $naming',
      ({ config }) =>
        expectThirdTimeoutOpens({ ...config, adapter: 'fetch' }, { code: 'ETIMEDOUT' }),
    );
  });

  // axios-mock-adapter cannot read the headers of later 0.x.
  describeIf(isAxiosFrom(1, 0) || !isAxiosFrom(0, 28))('with axios-mock-adapter', () => {
    // Its abort is not the caller's: a call without an answer, and a failure.
    const mocked = (['timeout', 'abortRequest'] as const).flatMap((fault) =>
      orders.map((order) => ({ fault, order })),
    );

    it.each(mocked)(
      'opens after the third $fault() of axios-mock-adapter (put on $order the breaker)',
      async ({ fault, order }) => {
        const clock = new ManualClock();
        const rig = await startRigBeside(
          order,
          (client) => {
            const answers = new MockAdapter(client as never).onGet('/');
            for (let call = 0; call < 3; call += 1) answers[`${fault}Once`]();
            answers.reply(200);
          },
          { consecutiveFailures: 3, clock },
        );
        const { server, client, breaker, transitions } = rig;

        const outcomes = await inTurn(4, () => client.get('/'));

        for (const { error } of outcomes.slice(0, 3)) {
          expect(error).toMatchObject({ code: 'ECONNABORTED' });
          expect(axios.isCancel(error)).toBe(false);
        }
        expect(isBreakerOpenError(outcomes[3]?.error)).toBe(true);
        expect(transitions).toEqual(['OPEN']);
        clock.advance(defaultOptions.cooldown);
        expect(await client.get('/')).toMatchObject({ status: 200 });
        expect(transitions).toEqual(['OPEN', 'CLOSE']);
        expect(breaker.snapshot().counts).toMatchObject({ admitted: 4, failure: 3, refused: 1 });
        expect(server.hits()).toBe(0);
        await rig.stop();
      },
    );
  });
});
