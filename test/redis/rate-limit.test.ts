import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet } from '../support/fleet.js';
import { needs } from '../support/needs.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';
import { startWatchedServer } from '../support/watched-server.js';

const size = 8;
const quota = 100;
/** What `Retry-After` wastes by being whole seconds is less than the third in which nothing is left. */
const windowMs = 4_000;
const windows = 2;
const paths = ['/a', '/b', '/c', '/d'];

interface Window {
  readonly path: string;
  readonly index: number;
  served: number;
  refused: number;
  /** When the first was refused, and until when it was told to wait. */
  refusedAt: number;
  waitUntil: number;
}

/** So many requests for each path in each window, whoever asks; then 429 with `Retry-After`. */
async function startLimitedServer(start: number) {
  const seen = new Map<string, Window>();
  const server = await startWatchedServer();
  server.answer = (path, now) => {
    const index = Math.floor((now - start) / windowMs);
    const id = `${path} ${index}`;
    const fresh = { path, index, served: 0, refused: 0, refusedAt: 0, waitUntil: 0 };
    const window = seen.get(id) ?? fresh;
    seen.set(id, window);
    if (window.served < quota) {
      window.served += 1;
      return 'status=200';
    }
    const seconds = Math.ceil((start + (index + 1) * windowMs - now) / 1_000);
    if (window.refused === 0) {
      window.refusedAt = now;
      window.waitUntil = now + seconds * 1_000;
    }
    window.refused += 1;
    return `status=429&header=Retry-After:${seconds}`;
  };
  const whole = () => [...seen.values()].filter(({ index }) => index >= 0 && index < windows);
  return { server, whole };
}

type LimitedServer = Awaited<ReturnType<typeof startLimitedServer>>;

function yieldOf({ whole }: LimitedServer) {
  const served = whole().reduce((sum, window) => sum + window.served, 0);
  const refused = whole().reduce((sum, window) => sum + window.refused, 0);
  const goodput = served / (paths.length * windows * quota);
  return { goodput, refusedPerThousand: (refused / served) * 1_000 };
}

needs('redis-server')('eight processes that ask for 1.5 times the quota of one API key', () => {
  let redis: RedisServer;
  let fleet: Fleet;
  let shared: LimitedServer;
  let alone: LimitedServer;
  /** The longest that one of them was held up, by other processes: so long it could hear nothing. */
  let heldUp: number;

  beforeAll(async () => {
    redis = await startRedisServer();
    fleet = await Fleet.start(redis.url, size);
    const start = Date.now() + 500;
    shared = await startLimitedServer(start);
    alone = await startLimitedServer(start);
    const every = (size * windowMs) / (1.5 * quota);
    const workFor =
      ({ server: { url } }: LimitedServer, isShared: boolean) =>
      () => ({
        ...{ url, paths, every, isShared },
        options: { requestTimeout: 5_000 },
      });
    fleet.guard('shared', workFor(shared, true));
    fleet.guard('alone', workFor(alone, false));
    await sleep(start + windows * windowMs - Date.now());
    const reports = await fleet.report('shared');
    heldUp = Math.max(...reports.map((report) => report.heldUp));
  }, 60_000);

  afterAll(async () => {
    await fleet.end();
    shared.server.close();
    alone.server.close();
    await redis.stop();
  });

  /** When each process opened for a window. */
  function openingsFor({ path, refusedAt, waitUntil }: Window): Map<number, number> {
    const ofIt = fleet.changes.filter(
      ({ said, guard, path: of, at }) =>
        said === 'OPEN' && guard === 'shared' && of === path && at >= refusedAt && at < waitUntil,
    );
    return new Map(ofIt.map(({ process, at }) => [process, at]));
  }

  it('meet little more 429s than one of them would, and lose nothing of the quota', () => {
    const figures = { shared: yieldOf(shared), alone: yieldOf(alone), heldUp };
    console.info(JSON.stringify(figures));
    // So many are sent while one that is held up cannot hear of it.
    const unheard = heldUp > 50 ? (1_500 * heldUp) / windowMs : 0;
    expect(figures.shared.refusedPerThousand).toBeLessThanOrEqual(21 + unheard);
    expect(figures.shared.goodput).toBeGreaterThanOrEqual(0.99);
    // Each process meets one of its own.
    expect(figures.alone.refusedPerThousand).toBeGreaterThan(70);
  });

  it('all open, and send nothing before the time is over that one of them was told', () => {
    const sentTooEarly = shared.whole().flatMap((window) => {
      const openings = openingsFor(window);
      expect(openings.size).toBe(size);
      return shared.server.arrivals.filter(
        ({ path, process, sentAt }) =>
          path === window.path &&
          sentAt > (openings.get(process) ?? 0) &&
          sentAt > window.refusedAt &&
          sentAt < window.waitUntil,
      );
    });
    expect(sentTooEarly).toEqual([]);
  });

  it('hear of it at once', () => {
    const times = shared.whole().map((window) => {
      const opened = [...openingsFor(window).values()];
      return Math.max(...opened) - Math.min(...opened);
    });
    times.sort((one, other) => one - other);
    const median = times[times.length / 2] ?? 0;
    console.info(
      `from the first 429 to the last OPEN: ${times.join(', ')} ms, median ${median} ms`,
    );
    expect(median).toBeLessThan(100 + heldUp);
  });
});
