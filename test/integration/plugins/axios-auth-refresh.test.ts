import type { AxiosError, AxiosInstance, AxiosRequestConfig } from 'axios';
import { createAuthRefresh } from 'axios-auth-refresh';
import {
  isBreakerOpenError,
  isFailure,
  staticFallback,
  type CircuitBreakerOptions,
} from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { arrangements, startArranged } from '../../support/arrangements.js';
import { describeIf, isAxiosFrom } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, type Rig } from '../../support/rig.js';
import { counts, times, watch } from '../../support/watch.js';
import { until } from '../../test-server/exchange.js';

/** The plugin's types are of axios as CommonJS. */
type PluginsClient = Parameters<typeof createAuthRefresh>[0];

// axios-auth-refresh 5 wants axios from 1.0; 1.0 and 1.1 cannot send a config again.
describeIf(isAxiosFrom(1, 2)).each(arrangements)(
  'axios-auth-refresh registered $arrangement',
  (arrangement) => {
    expectQuietProcess();
    let rig: Rig;
    afterEach(() => rig.stop());

    /** `/x` wants a token, which comes from `/refresh`. */
    async function start(
      options: CircuitBreakerOptions = {},
      refreshConfig: AxiosRequestConfig = {},
    ) {
      const plugIn = (client: AxiosInstance) =>
        void createAuthRefresh(
          client as unknown as PluginsClient,
          async ({ config }: AxiosError) => {
            const { data } = await client.get<string>('/refresh', refreshConfig);
            Reflect.set(config?.headers ?? {}, 'authorization', data);
          },
        );
      rig = await startArranged(arrangement, plugIn, { clock: new ManualClock(), ...options });
      rig.server.script('/x', [401, 200]);
      rig.server.script('/refresh', [{ body: 'new' }]);
      return rig;
    }

    const tokensSent = () => rig.server.requests('/x').map(({ headers }) => headers.authorization);

    describe('refusals', () => {
      it('ask for no token', async () => {
        const { server, client, breaker } = await start();
        breaker.open();
        expect(isBreakerOpenError((await outcome(client.get('/x'))).error)).toBe(true);
        expect(server.hits()).toBe(0);
        expect(breaker.snapshot().counts).toEqual(counts({ refused: 1, opened: 1 }));
      });

      it('of the refresh reach the caller, and the next call refreshes', async () => {
        const errorHandler = (error: AxiosError) =>
          isFailure(error) || error.response?.status === 401;
        const { server, client, breaker } = await start({ errorHandler, consecutiveFailures: 1 });
        const told = watch(breaker);

        expect(isBreakerOpenError((await outcome(client.get('/x'))).error)).toBe(true);
        expect(told).toEqual(['FAILURE', 'OPEN consecutive 300', 'REFUSE']);
        breaker.close();
        server.script('/x', [200]);
        expect((await client.get('/x')).status).toBe(200);
      });
    });

    describe('verdicts', () => {
      it('are one for each exchange, and a 401 is a success', async () => {
        const { client, breaker } = await start();
        const told = watch(breaker);
        expect((await client.get('/x')).status).toBe(200);
        expect(tokensSent()).toEqual([undefined, 'new']);
        expect(told).toEqual(times(3, 'SUCCESS'));
      });

      it('are one for the refresh that several calls wait for', async () => {
        const { server, client, breaker } = await start();
        server.script('/refresh', [{ body: 'new', delay: 50 }]);
        const first = client.get('/x');
        await until(() => server.hits('/refresh') === 1);
        await Promise.all([first, ...times(2, '/x').map((path) => client.get(path))]);
        expect(server.hits('/refresh')).toBe(1);
        expect(breaker.snapshot().counts).toEqual(counts({ admitted: 5, success: 5 }));
      });

      it('count a refresh that fails', async () => {
        const { server, client, breaker } = await start();
        const told = watch(breaker);
        server.script('/refresh', [503]);
        const { error } = await outcome(client.get('/x'));
        expect(error).toMatchObject({ config: { url: '/refresh' }, response: { status: 503 } });
        expect(told).toEqual(['SUCCESS', 'FAILURE']);
      });
    });

    describe('fallback answers', () => {
      it('come instead of a refusal, and ask for no token', async () => {
        const { server, client, breaker } = await start({ fallback: staticFallback('instead') });
        breaker.open();
        expect((await client.get('/x')).data).toBe('instead');
        expect(server.hits()).toBe(0);
      });

      const refreshes = [
        { title: 'are taken for a token', config: {}, token: 'instead' },
        {
          title: 'are no token where the refresh has none',
          config: { circuitBreaker: { fallback: false } } as const,
          token: undefined,
        },
      ];
      it.each(refreshes)('$title', async ({ config, token }) => {
        const errorHandler = (error: AxiosError) => error.response?.status === 401;
        const fallback = staticFallback('instead');
        const { client, breaker } = await start(
          { errorHandler, consecutiveFailures: 1, fallback },
          config,
        );
        // The refresh alone is refused: what comes after it finds the circuit closed.
        breaker.on('REFUSE', () => breaker.close());

        await outcome(client.get('/x'));
        expect(tokensSent()).toEqual(token === undefined ? [undefined] : [undefined, token]);
      });

      const isBefore = arrangement.order === 'before';
      it(`for a 401 that is a failure come ${isBefore ? 'after' : 'before'} the refresh`, async () => {
        const { server, client } = await start({
          consecutiveFailures: 9,
          errorHandler: (error) => error.response?.status === 401,
          fallback: staticFallback('instead'),
          fallbackOn: 'failure',
        });
        server.script('/x', [401, { body: 'real' }]);

        expect((await client.get('/x')).data).toBe(isBefore ? 'real' : 'instead');
        expect(server.hits('/refresh')).toBe(isBefore ? 1 : 0);
      });
    });
  },
);
