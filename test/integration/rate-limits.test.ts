import {
  discordRetryAfter,
  googleRetryInfo,
  isBreakerOpenError,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { describeIf, isAxiosFrom } from '../support/axios-version.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { outcome, startRig, type Rig } from '../support/rig.js';

// axios 1.0 takes no headers from an object of another realm, as Jest gives it those of Node.
const seesHeaders = !isAxiosFrom(1, 0) || isAxiosFrom(1, 1);
const clock = new ManualClock();
const bodyOfGoogle = { error: { code: 429, details: [{ retryDelay: '34.0748s' }] } };

let rig: Rig;
const opened: string[] = [];
afterEach(async () => {
  opened.length = 0;
  await rig.stop();
});

async function start(options: CircuitBreakerOptions = {}, config = {}): Promise<Rig> {
  rig = await startRig({ clock, ...options }, config);
  rig.breaker.on('OPEN', ({ reason, cooldownMs, from }) =>
    opened.push(`${reason} ${cooldownMs} ${from}`),
  );
  return rig;
}

describe('a wait that stands in the body', () => {
  expectQuietProcess();

  it('is read by a hook of a rejected answer, as transformResponse left it', async () => {
    const { server, client } = await start({ rateLimit: { wait: googleRetryInfo } });
    server.script('/', [{ status: 429, body: bodyOfGoogle }]);
    await outcome(client.get('/'));
    expect(opened).toEqual(['rate-limit 34075 rateLimit.wait']);
  });

  it('is read by a hook of a fulfilled answer, too', async () => {
    const { server, client } = await start(
      { rateLimit: { wait: discordRetryAfter } },
      { validateStatus: () => true },
    );
    server.script('/', [{ status: 429, body: { retry_after: 1.337 } }]);
    await outcome(client.get('/'));
    expect(opened).toEqual(['rate-limit 1337 rateLimit.wait']);
  });

  it('is read of a 200 that responseHandler takes for a failure', async () => {
    const { server, client } = await start({
      responseHandler: ({ data }) => !(data as { ok: boolean }).ok,
      rateLimit: { wait: ({ data }) => (data as { waitMs: number }).waitMs },
    });
    server.script('/', [{ body: { ok: false, waitMs: 2_500 } }]);
    await outcome(client.get('/'));
    expect(opened).toEqual(['rate-limit 2500 rateLimit.wait']);
  });
});

describe('what counts as a rate limit', () => {
  expectQuietProcess();

  it('is for errorHandler to say: a 429 that it excuses opens nothing', async () => {
    const { server, client, breaker } = await start({
      errorHandler: (error) => error.response?.status !== 429,
    });
    server.script('/', [{ status: 429, headers: { 'retry-after': '7' } }]);
    for (let call = 0; call < 10; call += 1) await outcome(client.get('/'));
    expect(opened).toEqual([]);
    expect(breaker.snapshot().counts).toMatchObject({ success: 10, failure: 0 });
  });

  it('is nothing with rateLimit: false: 429 is a failure like any other', async () => {
    const { server, client } = await start({ rateLimit: false });
    server.script('/', [{ status: 429, headers: { 'retry-after': '7' } }]);
    for (let call = 0; call < 4; call += 1) await outcome(client.get('/'));
    expect(opened).toEqual([]);
    await outcome(client.get('/'));
    expect(opened).toEqual(['consecutive 300 undefined']);
  });

  it('is a 429 that states nothing, for the cooldown', async () => {
    const { server, client } = await start();
    server.script('/', [429]);
    await outcome(client.get('/'));
    expect(opened).toEqual(['rate-limit 300 undefined']);
  });
});

describeIf(seesHeaders)('headers', () => {
  expectQuietProcess();

  it('of a 403 that says that nothing is left open until the reset', async () => {
    const { server, client, breaker } = await start();
    const headers = {
      Date: 'Mon, 30 Nov 2026 12:00:00 GMT',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '1796040030',
    };
    server.script('/', [{ status: 403, headers }]);
    await outcome(client.get('/'));
    expect(opened).toEqual(['rate-limit 31000 x-ratelimit-reset']);
    const { error } = await outcome(client.get('/'));
    expect(isBreakerOpenError(error)).toBe(true);
    expect(error).toMatchObject({ reason: 'rate-limit', retryAfterMs: 31_000 });
    expect(breaker.getStatus()).toBe(true);
  });

  it('of a good answer open with preempt, before a 429 is needed', async () => {
    const { server, client, transitions } = await start({ rateLimit: { preempt: true } });
    const quota = (remaining: number) => ({
      headers: { 'RateLimit-Remaining': String(remaining), 'RateLimit-Reset': '40' },
    });
    server.script('/', [quota(1), quota(0), quota(9)]);
    expect(await client.get('/')).toMatchObject({ status: 200 });
    expect(opened).toEqual([]);
    expect(await client.get('/')).toMatchObject({ status: 200 });
    expect(opened).toEqual(['rate-limit 40000 ratelimit-reset']);
    await outcome(client.get('/'));
    expect(server.hits('/')).toBe(2);
    clock.advance(40_000);
    expect(transitions).toEqual(['OPEN', 'CLOSE']);
    expect(await client.get('/')).toMatchObject({ status: 200 });
  });

  it('of a late answer move the end out, and CLOSE comes then, without traffic', async () => {
    const { server, client, breaker, transitions } = await start();
    server.script('/first', [{ status: 429, headers: { 'retry-after': '5' } }]);
    server.script('/late', [{ status: 429, delay: 100, headers: { 'retry-after': '20' } }]);
    const late = outcome(client.get('/late'));
    await outcome(client.get('/first'));
    expect(breaker.snapshot().retryAfterMs).toBe(5_000);
    await late;
    expect(breaker.snapshot().retryAfterMs).toBe(20_000);
    expect(opened).toEqual(['rate-limit 5000 retry-after']);
    clock.advance(19_999);
    expect(transitions).toEqual(['OPEN']);
    clock.advance(1);
    expect(transitions).toEqual(['OPEN', 'CLOSE']);
  });
});
