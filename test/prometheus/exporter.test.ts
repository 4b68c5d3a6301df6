import type * as PromClient from 'prom-client';
import { register } from 'prom-client';
import { samples } from '../support/samples.js';
import { createBreaker, exported, setUp } from './set-up.js';

describe('a scrape', () => {
  it('reads each circuit once for all metrics', async () => {
    const { breaker, scrape } = setUp();
    const snapshot = jest.spyOn(breaker, 'snapshot');
    await scrape();
    expect(snapshot).toHaveBeenCalledTimes(1);
    await scrape();
    expect(snapshot).toHaveBeenCalledTimes(2);
  });

  it('may ask for one metric alone', async () => {
    const { breaker, registry } = setUp();
    breaker.open();
    const text = await registry.getSingleMetricAsString('axios_circuit_state_code');
    expect(text).toMatch(/ 3$/);
    breaker.close();
    expect(await registry.getMetricsAsJSON()).toContainEqual(
      expect.objectContaining({
        name: 'axios_circuit_state_code',
        values: [{ labels: { breaker: 'orders', key: 'default' }, value: 0 }],
      }),
    );
  });
});

describe('the registry', () => {
  it('may be of another copy of prom-client, and gets all there is', async () => {
    let copy = undefined as typeof PromClient | undefined;
    await jest.isolateModulesAsync(async () => {
      copy = await import('prom-client');
    });
    if (copy === undefined) throw new Error('no copy');
    expect(copy.register).not.toBe(register);
    const { breaker, get } = createBreaker();
    const { unregister } = exported(breaker, { registry: copy.register });
    await get(503, 200);
    const all = Object.keys(await samples(copy.register));
    expect(all).toEqual(expect.arrayContaining([expect.stringMatching('refused')]));
    expect(await samples(register)).toEqual({});
    unregister();
    expect(await samples(copy.register)).toEqual({});
  });

  it('harms no request where a metric on it throws, which is a fault', async () => {
    const { client, onFault, registry, breaker } = setUp();
    const boom = new Error('boom');
    const histogram = registry.getSingleMetric('axios_circuit_exchange_duration_seconds');
    Object.assign(histogram as object, {
      observe: () => {
        throw boom;
      },
    });
    await expect(client.get('/', { params: 200 })).resolves.toMatchObject({ status: 200 });
    await client.get('/', { params: 503 }).catch(() => undefined);
    expect(breaker.getState()).toBe('open');
    expect(onFault.mock.calls).toEqual([[boom, 'prometheus']]);
  });
});
