import type { AxiosError, AxiosInstance } from 'axios';
import { createAuthRefresh } from 'axios-auth-refresh';
import { isBreakerOpenError, type CircuitBreakerOptions } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { describeIf, isAxiosFrom } from '../../support/axios-version.js';
import { expectProbeRecovery, openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { orders, startRigBeside, type Order } from '../../support/rig-around.js';
import { outcome, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { times, watch } from '../../support/watch.js';

/** The plugin's types are of axios as CommonJS. */
type PluginsClient = Parameters<typeof createAuthRefresh>[0];

// A call that waits for itself is never settled.
jest.setTimeout(10_000);

describe('G4 · Token refresh during half-open', () => {
  expectQuietProcess();
  let clock: ManualClock;
  let rig: Rig;
  afterEach(() => rig.stop());

  // axios-auth-refresh 5 wants axios from 1.0; 1.0 and 1.1 cannot send a config again.
  describeIf(isAxiosFrom(1, 2))('by axios-auth-refresh', () => {
    describe.each(orders)('registered %s the breaker', (order) => {
      it('refreshes and sends again: the 401 has closed the circuit', async () => {
        const told = await startRefreshing(order);
        const { server, client, breaker } = rig;

        expect(await outcome(client.get('/x'))).toMatchObject({ value: { status: 200 } });
        expect(server.requests('/x').map(({ headers }) => headers.authorization)).toEqual([
          undefined,
          'Bearer new',
        ]);
        expect(server.hits('/refresh')).toBe(1);
        expect(told).toEqual(['SUCCESS', 'CLOSE probes-passed 300', ...times(2, 'SUCCESS')]);
        expect(breaker.getState()).toBe('closed');
        expect(await outcome(client.get('/x'))).toMatchObject({ value: { status: 200 } });
        expect(server.hits('/x')).toBe(3);
      });

      it('lets the refresh be the next of two probes', async () => {
        const told = await startRefreshing(order, { halfOpen: { probes: 2 } });
        const { server, client } = rig;

        expect(await outcome(client.get('/x'))).toMatchObject({ value: { status: 200 } });
        expect(server.hits('/x')).toBe(2);
        expect(told).toEqual([...times(2, 'SUCCESS'), 'CLOSE probes-passed 300', 'SUCCESS']);
      });

      it('opens again where the refresh is a probe that fails', async () => {
        const told = await startRefreshing(order, { halfOpen: { probes: 2 } });
        const { server, client, breaker } = rig;
        server.script('/refresh', [503]);

        const { error } = await outcome(client.get('/x'));
        expect(error).toMatchObject({ config: { url: '/refresh' }, response: { status: 503 } });
        expect(told).toEqual(['SUCCESS', 'FAILURE', 'OPEN probe-failed 300']);
        clock.advance(300);
        for (const path of times(2, '/status/200')) await outcome(client.get(path));
        expect(breaker.getState()).toBe('closed');
      });

      it('refuses the refresh where a 401 is a failure by the predicate, and frees the slot', async () => {
        const errorHandler = ({ response }: AxiosError) => response !== undefined;
        const told = await startRefreshing(order, { errorHandler });
        const { server, client } = rig;

        const { error } = await outcome(client.get('/x'));
        expect(isBreakerOpenError(error)).toBe(true);
        expect(server.hits('/refresh')).toBe(0);
        expect(server.hits('/x')).toBe(1);
        expect(told).toEqual(['FAILURE', 'OPEN probe-failed 300', 'REFUSE']);
        await expectProbeRecovery(rig, clock);
      });
    });
  });

  describe.each(orders)('by a request interceptor registered %s the breaker', (order) => {
    it('fetches the token as the probe, and sends the call itself once that has closed the circuit', async () => {
      const told = await startFetching(order);
      const { server, client } = rig;
      const hits = server.hits();
      server.script('/token', [200]);
      server.script('/x', [200]);

      expect(await outcome(client.get('/x'))).toMatchObject({ value: { status: 200 } });
      expect(server.hits('/x')).toBe(1);
      expect(server.hits()).toBe(hits + 2);
      expect(told).toEqual(['SUCCESS', 'CLOSE probes-passed 300', 'SUCCESS']);
    });

    it('refuses the calls whose token is not the probe, and answers the one whose is', async () => {
      await startFetching(order);
      const { server, client, breaker } = rig;
      server.script('/token', [{ delay: 20 }]);
      server.script('/x', [200]);

      const ends = await Promise.all(times(5, '/x').map((path) => outcome(client.get(path))));
      expect(ends[0]).toMatchObject({ value: { status: 200 } });
      for (const { error } of ends.slice(1)) {
        expect(error).toMatchObject({ isBreakerOpenError: true, config: { url: '/token' } });
      }
      expect(server.hits('/x')).toBe(1);
      expect(breaker.getState()).toBe('closed');
      expect(await outcome(client.get('/x'))).toMatchObject({ value: { status: 200 } });
    });

    it('opens again where the token is a probe that fails', async () => {
      const told = await startFetching(order);
      const { server, client } = rig;
      server.script('/token', [503, 200]);

      const { error } = await outcome(client.get('/x'));
      expect(error).toMatchObject({ config: { url: '/token' }, response: { status: 503 } });
      expect(server.hits('/x')).toBe(0);
      expect(told).toEqual(['FAILURE', 'OPEN probe-failed 300']);
      clock.advance(300);
      server.script('/x', [200]);
      expect(await outcome(client.get('/x'))).toMatchObject({ value: { status: 200 } });
      expect(told.slice(2)).toEqual(['HALF_OPEN', 'SUCCESS', 'CLOSE probes-passed 600', 'SUCCESS']);
    });
  });

  /** A half-open circuit; `/x` wants a token, which axios-auth-refresh gets from `/refresh`. */
  async function startRefreshing(order: Order, options: CircuitBreakerOptions = {}) {
    const plugIn = (client: AxiosInstance) =>
      void createAuthRefresh(client as unknown as PluginsClient, async ({ config }: AxiosError) => {
        await client.get('/refresh');
        Reflect.set(config?.headers ?? {}, 'authorization', 'Bearer new');
      });
    clock = new ManualClock();
    rig = await startRigBeside(order, plugIn, { ...probing, clock, ...options });
    await openHalfway(rig, clock);
    rig.server.script('/x', [401, 200]);
    rig.server.script('/refresh', [200]);
    return watch(rig.breaker);
  }

  /** A half-open circuit; every call waits for a token, which comes from `/token`. */
  async function startFetching(order: Order) {
    const plugIn = (client: AxiosInstance) =>
      void client.interceptors.request.use(async (config) => {
        if (config.url !== '/token') await client.get('/token');
        return config;
      });
    clock = new ManualClock();
    rig = await startRigBeside(order, plugIn, { ...probing, clock });
    rig.server.script('/token', [503]);
    await inTurn(5, () => rig.client.get('/x'));
    clock.advance(300);
    expect(rig.breaker.getState()).toBe('half-open');
    return watch(rig.breaker);
  }
});
