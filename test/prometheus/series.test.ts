import { Registry } from 'prom-client';
import type { CircuitBreakerOptions } from '../../src/index.js';
import { exportMetrics } from '../../src/prometheus/index.js';
import { createBreaker, exported, setUp } from './set-up.js';

/** A circuit for each path, of which three are kept. */
const byPath: CircuitBreakerOptions = {
  key: ({ url }) => String(url),
  maxKeys: 3,
  halfOpen: false,
};

/** A success, a failure that opens, a refusal; then the circuit is closed again, and can be evicted. */
async function use({ send, clock }: ReturnType<typeof createBreaker>, url: string) {
  await send({ url, params: 200 });
  await send({ url, params: 503 });
  await send({ url, params: 200 });
  clock.advance(1_000);
}

const keysIn = (samples: Record<string, number>) => [
  ...new Set(Object.keys(samples).map((series) => /key="(.*?)"/.exec(series)?.[1])),
];

describe('the series of keys', () => {
  it('are as many as before when a thousand have come and gone', async () => {
    const rig = setUp(byPath);
    for (const url of ['/a', '/b', '/c']) await use(rig, url);
    const before = await rig.scrape();
    expect(keysIn(before)).toEqual(['/a', '/b', '/c']);
    expect(Object.keys(before).length).toBeGreaterThan(100);

    for (let count = 0; count < 1_000; count += 1) await use(rig, `/${count}`);
    const after = await rig.scrape();
    expect(keysIn(after)).toEqual(['/997', '/998', '/999']);
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length);
  });

  it('do not pile up where nobody scrapes', async () => {
    const rig = setUp(byPath);
    const counter = rig.registry.getSingleMetric('axios_circuit_requests_refused_total');
    const { hashMap } = counter as unknown as { hashMap: object };
    let most = 0;
    for (let count = 0; count < 1_000; count += 1) {
      await use(rig, `/${count}`);
      most = Math.max(most, Object.keys(hashMap).length);
    }
    expect(most).toBeGreaterThan(3);
    expect(most).toBeLessThan(200);
  });

  it('go on counting where a key comes back', async () => {
    const rig = setUp(byPath);
    await use(rig, '/a');
    await use(rig, '/a');
    expect(Object.values(await rig.scrape('requests_refused_total'))).toEqual([2]);
  });

  it('begin anew where a key comes back after it was evicted and scraped away', async () => {
    const rig = setUp(byPath);
    for (const url of ['/a', '/b', '/c', '/d']) await use(rig, url);
    expect(keysIn(await rig.scrape('requests_refused_total'))).toEqual(['/b', '/c', '/d']);
    await use(rig, '/a');
    const refused = await rig.scrape('requests_refused_total');
    expect(keysIn(refused)).toEqual(['/c', '/d', '/a']);
    expect(Object.values(refused)).toEqual([1, 1, 1]);
  });

  it('include those of the circuit that all further keys share', async () => {
    const { breaker, send, scrape } = setUp({ ...byPath, maxKeys: 1 });
    breaker.open('/a');
    await send({ url: '/b', params: 200 });
    expect(keysIn(await scrape('state_code'))).toEqual(['/a', '(overflow)']);
  });
});

describe('the series of a breaker', () => {
  it('go away when it is detached, and no others', async () => {
    const orders = setUp();
    const { registry, scrape } = orders;
    const bills = createBreaker({ name: 'bills' });
    exported(bills.breaker, { registry });
    await orders.get(503, 200);
    await bills.get(503, 200);
    const both = await scrape();
    orders.breaker.detach();
    const left = await scrape();
    expect(Object.keys(left).every((series) => series.includes('breaker="bills"'))).toBe(true);
    expect(Object.keys(left)).toHaveLength(Object.keys(both).length / 2);
  });

  it('leave its name to another when it is detached', async () => {
    const { breaker, registry, scrape } = setUp();
    breaker.detach();
    const next = createBreaker();
    exported(next.breaker, { registry });
    next.breaker.open();
    expect(Object.values(await scrape('state_code'))).toEqual([3]);
  });

  it('are in each registry that it is exported to', async () => {
    const { breaker, get, scrape } = setUp();
    const other = exported(breaker, { registry: new Registry() });
    await get(200);
    expect(await other.scrape()).toEqual(await scrape());
    other.unregister();
    await get(200);
    expect(Object.values(await scrape('exchange_duration_seconds_count'))).toEqual([2]);
  });
});

describe('the series of a breaker that took the place of another of its name', () => {
  it('are its own, and stay', async () => {
    const first = setUp();
    await first.get(200, 200);
    first.breaker.detach();
    const second = createBreaker();
    exportMetrics(second.breaker, { registry: first.registry });
    await second.get(200, 200, 200);
    const counted = () => first.scrape('exchange_duration_seconds_count');
    expect(Object.values(await counted())).toEqual([3]);
    first.unregister();
    expect(Object.values(await counted())).toEqual([3]);
  });
});
