import { Registry } from 'prom-client';
import { samplesIn } from '../support/samples.js';
import { startTraffic, type Traffic } from './traffic.js';

describe('a scrape over HTTP after real traffic', () => {
  let traffic: Traffic;
  beforeEach(async () => void (traffic = await startTraffic()));
  afterEach(() => traffic.close());

  /** The sum of the series of that name, for that key. */
  const figure = async (name: string, key: string, label = '') => {
    const { text } = await traffic.scrape();
    const all = Object.entries(samplesIn(text, `axios_circuit_${name}{`));
    return all
      .filter(([series]) => series.includes(`key="${key}"`) && series.includes(label))
      .reduce((sum, [, value]) => sum + value, 0);
  };

  it('agrees with what the server has seen', async () => {
    const { server, asked, get } = traffic;
    await get('/status/200', 7);
    await get('/broken', 9);
    await get('/limited', 4);
    const hits = { '/status/200': 7, '/broken': 5, '/limited': 1 };
    for (const [path, seen] of Object.entries(hits)) {
      expect(server.hits(path)).toBe(seen);
      expect(await figure('exchange_duration_seconds_count', path)).toBe(seen);
      const refused = Number(asked[path]) - seen;
      expect(await figure('requests_refused_total', path)).toBe(refused);
    }
    expect(await figure('exchange_duration_seconds_count', '/broken', '"failure"')).toBe(5);
    expect(await figure('requests_refused_total', '/limited', 'reason="rate-limit"')).toBe(3);
    expect(await figure('retry_after_seconds', '/limited')).toBe(30);
    expect(await figure('state', '/broken', 'state="open"')).toBe(1);
    expect(await figure('state', '/status/200', 'state="closed"')).toBe(1);
  });

  it('follows a server that recovers', async () => {
    const { server, clock, get } = traffic;
    await get('/broken', 9);
    server.script('/broken', [200]);
    clock.advance(1_000);
    await get('/broken', 3);
    expect(server.hits('/broken')).toBe(8);
    expect(await figure('exchange_duration_seconds_count', '/broken')).toBe(8);
    expect(await figure('exchange_duration_seconds_count', '/broken', '"success"')).toBe(3);
    expect(await figure('state_code', '/broken')).toBe(0);
    expect(await figure('transitions_total', '/broken', 'to="closed"')).toBe(1);
  });

  it('is of the type that Prometheus asks for', async () => {
    expect((await traffic.scrape()).type).toBe(Registry.PROMETHEUS_CONTENT_TYPE);
  });
});
