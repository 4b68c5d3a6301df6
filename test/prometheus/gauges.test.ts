import { circuit, setUp, settle, silence, stateSeries } from './set-up.js';

describe('the state metrics', () => {
  const states: [string, number, (rig: ReturnType<typeof setUp>) => unknown][] = [
    ['closed', 0, () => undefined],
    ['open', 2, ({ get }) => get(503)],
    [
      'half-open',
      1,
      async ({ get, clock }) => {
        await get(503);
        clock.advance(1_000);
      },
    ],
    ['forced-open', 3, ({ breaker }) => breaker.open()],
    ['disabled', -1, ({ breaker }) => breaker.disable()],
  ];

  it.each(states)('say %s by a label of its own and by the code %i', async (state, code, bring) => {
    const rig = setUp();
    await bring(rig);
    expect(await rig.scrape('state{')).toEqual(stateSeries(state));
    expect(await rig.scrape('state_code')).toEqual({
      [`axios_circuit_state_code{${circuit}}`]: code,
    });
  });

  it('are as of the scrape, also where no event has told of the state', async () => {
    const { breaker, clock, get, scrape } = setUp({ halfOpen: false });
    jest.spyOn(clock, 'setTimeout').mockReturnValue(0);
    await get(503);
    expect(await scrape('state{')).toEqual(stateSeries('open'));
    clock.advance(1_000);
    expect(await scrape('state{')).toEqual(stateSeries('closed'));
    breaker.disable();
    expect(await scrape('state{')).toEqual(stateSeries('disabled'));
  });
});

describe('the gauges', () => {
  const gauge = async (rig: ReturnType<typeof setUp>, name: string) =>
    (await rig.scrape(name))[`axios_circuit_${name}{${circuit}}`];

  it('give the shares of the window, and forget them with it', async () => {
    const rig = setUp({ consecutiveFailures: 9, slowCallDuration: 250, slowCallThreshold: 1 });
    expect(await gauge(rig, 'failure_ratio')).toBe(0);
    await rig.get(200, 503, 200, 200);
    expect(await gauge(rig, 'failure_ratio')).toBe(0.25);
    expect(await gauge(rig, 'slow_ratio')).toBe(1);
    rig.clock.advance(20_000);
    expect(await gauge(rig, 'failure_ratio')).toBe(0);
    expect(await gauge(rig, 'slow_ratio')).toBe(0);
  });

  it('count what is under way and what waits', async () => {
    const rig = setUp({ maxConcurrent: 2, maxQueued: 5 });
    for (let count = 0; count < 5; count += 1) void rig.send({ adapter: silence });
    await settle();
    expect(await gauge(rig, 'exchanges_in_flight')).toBe(2);
    expect(await gauge(rig, 'requests_queued')).toBe(3);
  });

  it('give the time until the next request in seconds, without an end where only a command is one', async () => {
    const rig = setUp();
    expect(await gauge(rig, 'retry_after_seconds')).toBe(0);
    await rig.get(503);
    rig.clock.advance(400);
    expect(await gauge(rig, 'retry_after_seconds')).toBe(0.6);
    rig.breaker.open();
    expect(await gauge(rig, 'retry_after_seconds')).toBe(Infinity);
  });
});
