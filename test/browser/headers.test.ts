import { inChromium } from '../support/chromium.js';
import type { Answer } from '../../test-server/answer.js';
import { adapters, openPage, servePages, startApi } from './pages.js';

servePages();

/** For how long a breaker opens at such an answer, when a page may read these headers of it. */
interface Case {
  readonly title: string;
  readonly exposed: readonly string[];
  readonly headers: () => NonNullable<Answer['headers']>;
  readonly from: string | undefined;
  readonly least: number;
  readonly most: number;
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
const httpDate = (seconds: number) => new Date(inSeconds(seconds) * 1_000).toUTCString();
const quota = (reset: number) => ({
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(reset),
});
const exactly = (ms: number) => ({ least: ms, most: ms });
// Whole seconds get one on top; a busy machine may take its time.
const aMinuteByTheLocalClock = { least: 40_000, most: 61_000 };

const cases: readonly Case[] = [
  {
    title: 'obeys Retry-After where it is exposed',
    exposed: ['Retry-After'],
    headers: () => ({ 'retry-after': '7' }),
    from: 'retry-after',
    ...exactly(7_000),
  },
  {
    title: 'rests for its own cooldown where Retry-After is not',
    exposed: [],
    headers: () => ({ 'retry-after': '7' }),
    from: undefined,
    ...exactly(1_000),
  },
  {
    title: 'measures a date against Date where both are exposed, however wrong they are',
    exposed: ['Retry-After', 'Date'],
    headers: () => ({ date: httpDate(-7_200), 'retry-after': httpDate(-7_140) }),
    from: 'retry-after',
    least: 61_000,
    // Two readings of the clock may lie on both sides of a second.
    most: 62_000,
  },
  {
    title: 'measures a date against the local clock where Date is not exposed',
    exposed: ['Retry-After'],
    headers: () => ({ 'retry-after': httpDate(60) }),
    from: 'retry-after',
    ...aMinuteByTheLocalClock,
  },
  {
    title: 'measures an epoch against the local clock where Date is not exposed',
    exposed: ['X-RateLimit-Reset', 'X-RateLimit-Remaining'],
    headers: () => quota(inSeconds(60)),
    from: 'x-ratelimit-reset',
    ...aMinuteByTheLocalClock,
  },
  {
    title: 'takes a reset without what remains for one of a 429',
    exposed: ['X-RateLimit-Reset'],
    headers: () => quota(30),
    from: 'x-ratelimit-reset',
    ...exactly(30_000),
  },
  {
    title: 'rests for its own cooldown where no header of the quota is exposed',
    exposed: ['Date'],
    headers: () => quota(inSeconds(60)),
    from: undefined,
    ...exactly(1_000),
  },
];

inChromium('what a page may read of a rate limit', (openTab) => {
  describe.each(adapters)('by %s', (adapter) => {
    it.each(cases)('$title', async ({ exposed, headers, from, least, most }) => {
      const api = await startApi(exposed);
      api.script('/', [{ status: 429, headers: headers() }]);
      const { page, complaints } = await openPage(openTab);
      const opened = await page.evaluate(
        async (config) => {
          const { breaker, send } = kit.start(config);
          const events: { reason: string; cooldownMs: number; from: string | undefined }[] = [];
          breaker.on('OPEN', ({ reason, cooldownMs, from }) =>
            events.push({ reason, cooldownMs, from }),
          );
          await send();
          return events;
        },
        { adapter, baseURL: api.url },
      );
      expect(opened).toMatchObject([{ reason: 'rate-limit', from }]);
      const cooldownMs = opened[0]?.cooldownMs;
      expect(cooldownMs).toBeGreaterThanOrEqual(least);
      expect(cooldownMs).toBeLessThanOrEqual(most);
      expect(complaints()).toEqual([]);
    });
  });
});
