import { course, type Service, type Traffic } from './support/dependency.js';

const second = 1_000;
/** By then the window holds nothing but healthy calls. */
const turn = 12 * second;

const healthy: Service = { ms: 80 };
const slow: Service = { ms: 8 * second };
const bad: Service = { ms: 80, status: 503 };
const refused: Service = { ms: 20, status: 'refused' };

/** 50 requests a second to a dependency that changes at `turn`. */
async function outage(lasts: number, serve: Traffic['serve'], seed = 1) {
  const { sent, refused, opened } = await course({
    duration: turn + lasts,
    every: 20,
    options: { slowCallDuration: second, requestTimeout: 3 * second },
    serve: (at, chance) => (at < turn ? healthy : serve(at - turn, chance)),
    seed,
  });
  const sinceTurn = (at: number) => at >= turn;
  expect(refused.filter((at) => !sinceTurn(at))).toEqual([]);
  return {
    firstRefusal: (refused[0] ?? Infinity) - turn,
    sent: sent.filter(sinceTurn).length,
    /** When, since the turn, a request was refused. */
    refused: refused.map((at) => at - turn),
    reason: opened[0]?.reason,
  };
}

describe('an outage, with the default rules, slowCallDuration: 1000 and requestTimeout: 3000', () => {
  it('is seen within 1.2 s where every answer takes 8 s: at most 80 requests go into it', async () => {
    const { firstRefusal, sent, reason } = await outage(30 * second, () => slow);
    expect(firstRefusal).toBeGreaterThanOrEqual(second);
    expect(firstRefusal).toBeLessThanOrEqual(1.2 * second);
    expect(sent).toBeLessThanOrEqual(80);
    expect(reason).toBe('consecutive');
  });

  it('is seen within 0.2 s where connections are refused: at most 20 requests go into it', async () => {
    const { firstRefusal, sent, reason } = await outage(30 * second, () => refused);
    expect(firstRefusal).toBeLessThanOrEqual(0.2 * second);
    expect(sent).toBeLessThanOrEqual(20);
    expect(reason).toBe('consecutive');
  });

  it.each([1, 2, 3])(
    'is seen within the window where half of the answers are errors (seed %d)',
    async (seed) => {
      const serve = (_at: number, chance: number) => (chance < 0.5 ? bad : healthy);
      const { firstRefusal, sent } = await outage(30 * second, serve, seed);
      expect(firstRefusal).toBeLessThanOrEqual(10 * second);
      // Of 1500: a probe that is lucky lets some more in.
      expect(sent).toBeLessThanOrEqual(500);
    },
  );
});

describe('what is no outage, with the same rules', () => {
  it('never opens: 2 % of errors', async () => {
    const serve = (_at: number, chance: number) => (chance < 0.02 ? bad : healthy);
    expect(await outage(40 * second, serve)).toMatchObject({
      refused: [],
      sent: 2_000,
      reason: undefined,
    });
  });

  it.each([
    { title: 'of errors', service: bad, share: 0.01 },
    { title: 'of refused connections', service: refused, share: 0.01 },
    // It is over by the time that it can be seen, and the whole cooldown is lost.
    { title: 'of silence', service: slow, share: 0.02 },
  ])(
    'costs at most $share of the healthy requests of a minute: one second $title',
    async ({ service, share }) => {
      const serve = (at: number) => (at < second ? service : healthy);
      const { refused } = await outage(60 * second, serve);
      const healthyOnes = refused.filter((at) => at >= second);
      expect(healthyOnes.length / 2_950).toBeLessThanOrEqual(share);
      expect(refused.length).toBeGreaterThan(0);
    },
  );
});
