import { setTimeout as wait } from 'node:timers/promises';
import { needs } from '../support/needs.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { kinds } from '../support/redis-clients.js';
import { setStage, untilShared, type Party, type Stage } from '../support/sharing.js';
import { until } from '../test-server/exchange.js';

needs('redis-server').each(kinds)('a client of %s that is cut off', (kind) => {
  let stage: Stage;
  beforeEach(async () => void (stage = await setStage()));
  afterEach(() => stage.stop());
  expectQuietProcess();

  /** Longer than a command may be under way. */
  const tooLong = () => wait(1_500);

  async function join(): Promise<Party> {
    const user = stage.createClient(kind);
    user.connect();
    await until(user.isReady, 20_000);
    const party = stage.join(user.client);
    await untilShared(party);
    return party;
  }

  it.each(['cut off', 'slow'])(
    'of a rate limit that is over opens nobody, when %s',
    async (how) => {
      const [one, other] = [await join(), await join()];
      if (how === 'slow') stage.proxy.slowDown(2_000);
      else stage.proxy.shut();
      await one.limit(60);
      one.breaker.close();
      await tooLong();
      stage.proxy.slowDown(0);
      stage.proxy.open();
      await untilShared(one);
      await untilShared(other);
      await wait(500);
      expect(one.told).toEqual(['OPEN rate-limit', 'CLOSE manual']);
      expect(other.told).toEqual([]);
    },
  );

  it('of a rate limit that holds opens the others once Redis is there again', async () => {
    const [one, other] = [await join(), await join()];
    stage.proxy.shut();
    await one.limit(60);
    await tooLong();
    expect(other.told).toEqual([]);
    stage.proxy.open();
    await until(() => other.told.length > 0, 20_000);
    expect(other.told).toEqual(['OPEN shared']);
    // For no longer than it lasts.
    expect(other.breaker.snapshot().retryAfterMs).toBeLessThan(60_000 - 1_500);
  });

  it('commands nobody when its caller was told that it failed', async () => {
    const [one, other] = [await join(), await join()];
    stage.proxy.shut();
    await expect(one.breaker.fleet.open()).rejects.toThrow();
    await tooLong();
    stage.proxy.open();
    await untilShared(one);
    await untilShared(other);
    expect([...one.told, ...other.told]).toEqual([]);
  });

  it('commands nobody when it was not connected before', async () => {
    stage.proxy.shut();
    const user = stage.createClient(kind);
    const late = stage.join(user.client);
    user.connect();
    await expect(late.breaker.fleet.open()).rejects.toThrow();
    await tooLong();
    stage.proxy.open();
    await until(user.isReady, 20_000);
    const other = await join();
    await wait(1_500);
    expect([...late.told, ...other.told]).toEqual([]);
  });

  it('commands all as soon as it is connected', async () => {
    const user = stage.createClient(kind);
    user.connect();
    await until(user.isReady, 20_000);
    const { breaker, told } = stage.join(user.client);
    await breaker.fleet.open();
    expect(told).toEqual(['OPEN manual']);
  });

  it('keeps no other from its probe, once Redis is gone', async () => {
    const [one, other] = [await join(), await join()];
    for (const { answers, get } of [one, other]) {
      answers.push(...Array.from({ length: 5 }, () => ({ status: 503 })));
      for (let request = 0; request < 5; request += 1) await get();
    }
    // Its probe takes its time, and it has a lease for half a minute.
    const release = one.hold();
    await until(() => one.breaker.getState() === 'half-open', 10_000);
    const probe = one.get();
    await until(() => one.breaker.snapshot().inFlight === 1);
    await until(() => other.breaker.getState() === 'half-open', 10_000);
    await wait(300);
    expect((await other.get()).error).toMatchObject({ state: 'half-open' });
    await stage.server.stop();
    const goneAt = performance.now();
    await until(() => {
      void other.get();
      return other.breaker.getState() === 'closed';
    }, 20_000);
    expect(performance.now() - goneAt).toBeLessThan(6_000);
    release();
    await probe;
  });
});
