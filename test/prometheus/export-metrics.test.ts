import { Counter, register, Registry, type OpenMetricsContentType } from 'prom-client';
import { exportMetrics } from '../../src/prometheus/index.js';
import { samples } from '../support/samples.js';
import { createBreaker, exported, namesOn, setUp } from './set-up.js';

const names = [
  'axios_circuit_state',
  'axios_circuit_state_code',
  'axios_circuit_failure_ratio',
  'axios_circuit_slow_ratio',
  'axios_circuit_exchanges_in_flight',
  'axios_circuit_requests_queued',
  'axios_circuit_retry_after_seconds',
  'axios_circuit_requests_refused_total',
  'axios_circuit_transitions_total',
  'axios_circuit_exchange_duration_seconds',
];

describe('exportMetrics', () => {
  it('puts its metrics on the registry that it is given, and on no other', () => {
    const { registry } = setUp();
    expect(namesOn(registry)).toEqual(names);
    expect(namesOn(register)).toEqual([]);
  });

  it('begins every name with the prefix', () => {
    const { registry } = exported(createBreaker().breaker, { prefix: 'shop:api_' });
    const renamed = names.map((name) => name.replace('axios_circuit_', 'shop:api_'));
    expect(namesOn(registry)).toEqual(renamed);
  });

  it('shows several breakers, and further ones later', async () => {
    const registry = new Registry();
    const [orders, bills, users] = ['orders', 'bills', 'users'].map((name) =>
      createBreaker({ name }),
    );
    if (!orders || !bills || !users) throw new Error('three');
    exportMetrics([orders.breaker, bills.breaker], { registry });
    exportMetrics(users.breaker, { registry });
    bills.breaker.open();
    expect(await samples(registry, 'axios_circuit_state_code')).toEqual({
      'axios_circuit_state_code{breaker="orders",key="default"}': 0,
      'axios_circuit_state_code{breaker="bills",key="default"}': 3,
      'axios_circuit_state_code{breaker="users",key="default"}': 0,
    });
  });

  it('shows further breakers under each prefix that a registry has', async () => {
    const registry = new Registry();
    for (const name of ['orders', 'bills']) {
      for (const prefix of ['a_', 'b_'])
        exported(createBreaker({ name }).breaker, { registry, prefix });
    }
    for (const prefix of ['a_', 'b_']) {
      expect(await samples(registry, `${prefix}state_code`)).toEqual({
        [`${prefix}state_code{breaker="orders",key="default"}`]: 0,
        [`${prefix}state_code{breaker="bills",key="default"}`]: 0,
      });
    }
  });

  it('gives the histogram the buckets that it is given, and leaves the list alone', async () => {
    const buckets = [0.5, 5];
    const { breaker, get } = createBreaker();
    const { registry, scrape } = exported(breaker, { buckets });
    await get(200);
    const bounds = Object.keys(await scrape('exchange_duration_seconds_bucket')).map(
      (series) => /le="(.*?)"/.exec(series)?.[1],
    );
    expect(bounds).toEqual(['0.5', '5', '+Inf']);
    buckets.push(50);
    const more = { registry, buckets: [0.5, 5] };
    expect(() => exported(createBreaker({ name: 'bills' }).breaker, more)).not.toThrow();
  });

  it('serves a registry in the OpenMetrics format, too', async () => {
    const registry = new Registry<OpenMetricsContentType>();
    registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    const { breaker, get } = createBreaker();
    const unregister = exportMetrics(breaker, { registry });
    await get(503, 200);
    const refused = await samples(registry, 'axios_circuit_requests_refused_total{');
    expect(Object.values(refused)).toEqual([1]);
    unregister();
    expect(await registry.metrics()).toBe('\n# EOF\n');
  });

  it('adds up the workers of a cluster so that each figure keeps its meaning', () => {
    const { registry } = setUp();
    const aggregators = registry.getMetricsAsArray().map(({ aggregator }) => aggregator);
    expect(aggregators).toEqual([
      'max',
      'max',
      'average',
      'average',
      'sum',
      'sum',
      'max',
      'sum',
      'sum',
      'sum',
    ]);
  });

  it('escapes what a name or a key holds', async () => {
    const { breaker, send } = createBreaker({
      name: 'a "b" \\ <script>\n',
      key: ({ url }) => `${String(url)}",state="open`,
    });
    const { scrape } = exported(breaker);
    await send({ url: '/x', params: 200 });
    expect(await scrape('state_code')).toEqual({
      'axios_circuit_state_code{breaker="a \\"b\\" \\\\ <script>\\n",key="/x\\",state=\\"open"}': 0,
    });
  });
});

describe('what exportMetrics returns', () => {
  it('takes away all that it added, and what others added stays', async () => {
    const registry = new Registry();
    new Counter({ name: 'mine_total', help: 'Mine.', registers: [registry] }).inc();
    const { breaker, get } = createBreaker();
    const { unregister } = exported(breaker, { registry });
    await get(503, 200);
    unregister();
    expect(await samples(registry)).toEqual({ mine_total: 1 });
    expect(namesOn(registry)).toEqual(['mine_total']);
    unregister();
    expect(namesOn(registry)).toEqual(['mine_total']);
  });

  it('leaves the breakers of other calls', async () => {
    const { registry, unregister, scrape, get } = setUp();
    const bills = createBreaker({ name: 'bills' });
    const other = exported(bills.breaker, { registry });
    await get(503, 200);
    unregister();
    unregister();
    const left = Object.keys(await scrape());
    expect(left.filter((series) => !series.includes('breaker="bills"'))).toEqual([]);
    expect(left).not.toEqual([]);
    other.unregister();
    expect(namesOn(registry)).toEqual([]);
  });

  it('ends the listening: the breaker tells nobody any more', async () => {
    const { unregister, get, registry } = setUp();
    const histogram = registry.getSingleMetric('axios_circuit_exchange_duration_seconds');
    await get(200);
    unregister();
    await get(200);
    expect((await histogram?.get())?.values).toEqual([]);
  });

  it('works for a breaker that is detached already', async () => {
    const { breaker, unregister, registry, scrape } = setUp();
    breaker.detach();
    expect(await scrape()).toEqual({});
    unregister();
    expect(namesOn(registry)).toEqual([]);
  });

  it('does not touch what came after the registry was cleared', async () => {
    const { breaker, registry, unregister, get, scrape } = setUp();
    registry.clear();
    const again = exported(breaker, { registry });
    unregister();
    await get(200);
    expect(Object.values(await scrape('exchange_duration_seconds_count'))).toEqual([1]);
    again.unregister();
    expect(namesOn(registry)).toEqual([]);
  });
});
