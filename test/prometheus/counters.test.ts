import { circuit, createBreaker, exported, setUp, settle, silence, stateSeries } from './set-up.js';

describe('the counter of refused requests', () => {
  const refused = (state: string, reason: string) =>
    `axios_circuit_requests_refused_total{${circuit},state="${state}",reason="${reason}"}`;

  it('goes by the state at the refusal, and by why the circuit opened', async () => {
    const { breaker, clock, get, send, scrape } = setUp();
    await get(503, 200, 200);
    clock.advance(1_000);
    void send({ adapter: silence });
    await get(200);
    breaker.open();
    await get(200);
    expect(await scrape('requests_refused_total')).toEqual({
      [refused('open', 'consecutive')]: 2,
      [refused('half-open', 'consecutive')]: 1,
      [refused('forced-open', 'manual')]: 1,
    });
  });

  it('tells who found no place from who met an open circuit', async () => {
    const { get, send, scrape } = setUp({ maxConcurrent: 1 });
    void send({ adapter: silence });
    await get(200, 200);
    expect(await scrape('requests_refused_total')).toEqual({
      [refused('closed', 'bulkhead-full')]: 2,
    });
  });
});

describe('the histogram of durations', () => {
  it('holds each exchange by its verdict, in seconds', async () => {
    const { get, send, scrape } = setUp({ consecutiveFailures: 9 });
    await get(200, 200, 503);
    const controller = new AbortController();
    void send({
      signal: controller.signal,
      adapter: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener?.('abort', () => reject(new Error('stopped')));
        }),
    });
    await settle();
    controller.abort();
    await settle();
    const name = 'exchange_duration_seconds';
    const of = (verdict: string) => `{${circuit},verdict="${verdict}"}`;
    expect(await scrape(`${name}_count`)).toEqual({
      [`axios_circuit_${name}_count${of('success')}`]: 2,
      [`axios_circuit_${name}_count${of('failure')}`]: 1,
      [`axios_circuit_${name}_count${of('ignored')}`]: 1,
    });
    expect(await scrape(`${name}_sum`)).toMatchObject({
      [`axios_circuit_${name}_sum${of('success')}`]: 0.5,
      [`axios_circuit_${name}_sum${of('failure')}`]: 0.25,
    });
    const success = await scrape(`${name}_bucket`);
    const bucket = (le: string) =>
      success[`axios_circuit_${name}_bucket{le="${le}",${circuit},verdict="success"}`];
    expect([bucket('0.1'), bucket('0.25'), bucket('30'), bucket('+Inf')]).toEqual([0, 2, 2, 2]);
  });
});

describe('the counter of transitions', () => {
  const transition = (from: string, to: string, reason: string) =>
    `axios_circuit_transitions_total{${circuit},from="${from}",to="${to}",reason="${reason}"}`;

  it('follows a circuit through an outage and back', async () => {
    const { clock, get, scrape } = setUp({ cooldownFactor: 1 });
    await get(503);
    clock.advance(1_000);
    await get(503);
    clock.advance(1_000);
    await get(200);
    expect(await scrape('transitions_total')).toEqual({
      [transition('closed', 'open', 'consecutive')]: 1,
      [transition('open', 'half-open', 'cooldown-elapsed')]: 2,
      [transition('half-open', 'open', 'probe-failed')]: 1,
      [transition('half-open', 'closed', 'probes-passed')]: 1,
    });
  });

  it('knows where a rate limit and a command found the circuit', async () => {
    const { breaker, clock, get, scrape } = setUp({ cooldownFactor: 1 });
    await get(429);
    clock.advance(1_000);
    await get(503);
    clock.advance(1_000);
    await get(429);
    breaker.open();
    breaker.disable();
    breaker.open();
    breaker.close();
    expect(await scrape('transitions_total')).toEqual({
      [transition('closed', 'open', 'rate-limit')]: 1,
      [transition('open', 'closed', 'cooldown-elapsed')]: 1,
      [transition('closed', 'open', 'consecutive')]: 1,
      [transition('open', 'half-open', 'cooldown-elapsed')]: 1,
      [transition('half-open', 'open', 'rate-limit')]: 1,
      [transition('open', 'forced-open', 'manual')]: 1,
      [transition('forced-open', 'disabled', 'manual')]: 1,
      [transition('disabled', 'forced-open', 'manual')]: 1,
      [transition('forced-open', 'closed', 'manual')]: 1,
    });
  });

  it('knows the state that a breaker was in before it was exported', async () => {
    const { breaker, get } = createBreaker();
    await get(503);
    const { scrape } = exported(breaker);
    breaker.close();
    expect(await scrape('transitions_total')).toEqual({
      [transition('open', 'closed', 'manual')]: 1,
    });
  });

  it('learns at a scrape what no event tells', async () => {
    const { breaker, scrape } = setUp();
    breaker.disable();
    expect(await scrape('transitions_total')).toEqual({});
    breaker.open();
    expect(await scrape('transitions_total')).toEqual({
      [transition('disabled', 'forced-open', 'manual')]: 1,
    });
  });
});

describe('a breaker that only observes', () => {
  it('shows the states that it would be in, and counts openings, but refuses nothing', async () => {
    const { get, clock, scrape } = setUp({ mode: 'observe' });
    await get(503, 200, 200);
    expect(await scrape('state{')).toEqual(stateSeries('open'));
    clock.advance(1_000);
    await get(200);
    expect(await scrape('requests_refused_total')).toEqual({});
    const exchanges = await scrape('exchange_duration_seconds_count');
    expect(Object.values(exchanges)).toEqual([1, 3]);
    expect(Object.values(await scrape('transitions_total'))).toEqual([1, 1, 1]);
  });
});
