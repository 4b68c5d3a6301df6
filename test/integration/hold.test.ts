import { holdUntilClosed } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { describeIf, isAxiosFrom } from '../support/axios-version.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { startRig, outcome, type Rig } from '../support/rig.js';
import { until } from '../test-server/exchange.js';

/** Axios 1.0.0 loses every header of a response under Jest. */
const whereHeadersArrive = describeIf(!isAxiosFrom(1, 0) || isAxiosFrom(1, 1));

describe('requests that are held', () => {
  expectQuietProcess();
  let rig: Rig;
  afterEach(() => rig.stop());

  it('all have an answer, none is refused, and the server is not run over', async () => {
    const clock = new ManualClock();
    rig = await startRig({ fallback: holdUntilClosed(), halfOpen: {}, clock });
    const { server, client, breaker } = rig;
    server.script('/outage', [503]);
    for (let call = 0; call < 5; call += 1) await outcome(client.get('/outage'));
    let most = 0;
    server.script('/', [{ delay: 20, body: { id: 1 } }]);
    const answers = Array.from({ length: 15 }, async (_, call) => {
      const { data } = await client.post<unknown>('/', { call });
      return data;
    });
    const counting = setInterval(() => {
      most = Math.max(most, breaker.snapshot().inFlight);
    }, 1);
    await until(() => breaker.snapshot().queued === 15);
    clock.advance(300);
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 15 }, () => ({ id: 1 })));
    clearInterval(counting);
    expect(server.hits('/')).toBe(15);
    expect(most).toBeLessThanOrEqual(8);
    expect(breaker.snapshot().counts).toMatchObject({ refused: 0, success: 15, opened: 1 });
  });

  it('can be aborted', async () => {
    rig = await startRig({ fallback: holdUntilClosed() });
    const { server, client, breaker } = rig;
    breaker.open();
    const controller = new AbortController();
    const held = outcome(client.get('/', { signal: controller.signal }));
    await until(() => breaker.snapshot().queued === 1);
    controller.abort();
    expect((await held).error).toMatchObject({ code: 'ERR_CANCELED' });
    breaker.close();
    expect([server.hits(), breaker.snapshot().queued]).toEqual([0, 0]);
  });
});

whereHeadersArrive('requests that are held from a rate limit', () => {
  expectQuietProcess();

  it('go back to the front when they meet it again, and are sent in order', async () => {
    const clock = new ManualClock();
    const rig = await startRig({
      clock,
      fallback: holdUntilClosed(),
      rateLimit: { minWait: 50 },
      consecutiveFailures: 99,
    });
    const { server, client, breaker } = rig;
    const limited = { status: 429, headers: { 'retry-after-ms': '50' } };
    server.script('/', [limited, limited, { status: 200 }, limited, { status: 200 }]);
    await outcome(client.get('/'));
    const order: number[] = [];
    const held = Array.from({ length: 4 }, async (_, call) => {
      const { status } = await client.get('/', { params: { call } });
      order.push(call);
      return status;
    });
    await until(() => breaker.snapshot().queued === 4);
    for (const opened of [1, 2, 3]) {
      await until(() => breaker.snapshot().counts.opened === opened);
      await until(() => breaker.snapshot().inFlight === 0);
      clock.advance(50);
    }
    expect(await Promise.all(held)).toEqual([200, 200, 200, 200]);
    expect(order[0]).toBe(0);
    // The one that was not held, two that met the limit again, and the four.
    expect(server.hits('/')).toBe(7);
    await rig.stop();
  });
});
