import MockAdapter from 'axios-mock-adapter';
import {
  isBreakerOpenError,
  staticFallback,
  type CircuitBreakerOptions,
} from '../../../src/index.js';
import { arrangements, startArranged } from '../../support/arrangements.js';
import { describeIf, isAxiosFrom } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { counts, times, watch } from '../../support/watch.js';

type Handler = MockAdapter.RequestHandler;
type MockOptions = ConstructorParameters<typeof MockAdapter>[1];

// axios-mock-adapter 2.1.0 cannot read the headers of axios 0.35.
const works = isAxiosFrom(1, 0) || !isAxiosFrom(0, 35);

describeIf(works).each(arrangements)(
  'axios-mock-adapter registered $arrangement',
  (arrangement) => {
    expectQuietProcess();
    let mock: MockAdapter;
    let rig: Rig;
    afterEach(() => rig.stop());

    async function start(options: CircuitBreakerOptions = {}, mockOptions: MockOptions = {}) {
      rig = await startArranged(
        arrangement,
        (client) => {
          mock = new MockAdapter(client as never, mockOptions);
        },
        options,
      );
      return rig;
    }

    describe('refusals', () => {
      it('never reach the mock', async () => {
        const { client, breaker } = await start();
        mock.onGet('/').reply(200);
        breaker.open();

        expect(isBreakerOpenError((await outcome(client.get('/'))).error)).toBe(true);
        expect(mock.history.get).toHaveLength(0);
      });

      it('follow five mocked failures', async () => {
        const { client } = await start();
        mock.onGet('/').reply(503);
        const outcomes = await inTurn(6, () => client.get('/'));
        expect(outcomes.map(({ error }) => isBreakerOpenError(error))).toEqual([
          ...times(5, false),
          true,
        ]);
        expect(mock.history.get).toHaveLength(5);
      });
    });

    describe('verdicts', () => {
      it.each<[mocked: string, verdict: string, answer: (handler: Handler) => void]>([
        ['reply(200)', 'SUCCESS', (handler) => handler.reply(200)],
        ['reply(404)', 'SUCCESS', (handler) => handler.reply(404)],
        ['reply(429)', 'FAILURE', (handler) => handler.reply(429)],
        ['reply(503)', 'FAILURE', (handler) => handler.reply(503)],
        ['networkError()', 'FAILURE', (handler) => handler.networkError()],
        ['timeout()', 'FAILURE', (handler) => handler.timeout()],
        ['abortRequest()', 'FAILURE', (handler) => handler.abortRequest()],
        ['passThrough()', 'SUCCESS', (handler) => handler.passThrough()],
      ])('of %s are %s', async (_mocked, verdict, answer) => {
        const { server, client, breaker } = await start({ rateLimit: false });
        const told = watch(breaker);
        server.script('/', [200]);
        answer(mock.onGet('/'));

        await outcome(client.get('/'));
        expect(told).toEqual([verdict]);
        expect(breaker.snapshot().counts.admitted).toBe(1);
      });

      it.each([
        { title: 'that of a 404', onNoMatch: undefined, verdict: 'SUCCESS' },
        { title: 'a failure, where it throws', onNoMatch: 'throwException', verdict: 'FAILURE' },
      ] as const)('of what has no mock are $title', async ({ onNoMatch, verdict }) => {
        const { client, breaker } = await start({}, onNoMatch && { onNoMatch });
        const told = watch(breaker);
        await outcome(client.get('/'));
        expect(told).toEqual([verdict]);
      });
    });

    describe('fallback answers', () => {
      it('come instead of mocked ones, for refusals and failures', async () => {
        const { client, breaker } = await start({
          fallback: staticFallback('instead'),
          fallbackOn: 'failure',
        });
        mock.onGet('/').reply(503);
        expect((await client.get('/')).data).toBe('instead');
        breaker.open();
        expect((await client.get('/')).data).toBe('instead');
        expect(mock.history.get).toHaveLength(1);
      });
    });

    describe('restore()', () => {
      it('leaves the breaker in front of the real server', async () => {
        const { server, client, breaker } = await start();
        mock.onGet('/').reply(503);
        await outcome(client.get('/'));
        mock.restore();
        server.script('/', [200]);

        expect((await client.get('/')).status).toBe(200);
        expect(server.hits()).toBe(1);
        expect(breaker.snapshot().counts).toEqual(counts({ admitted: 2, failure: 1, success: 1 }));
      });
    });
  },
);
