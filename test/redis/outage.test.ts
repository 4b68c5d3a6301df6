import { Fleet, until, type Change } from '../support/fleet.js';
import { needs } from '../support/needs.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';
import { overlaps, startWatchedServer, type WatchedServer } from '../support/watched-server.js';

const size = 8;
/** The others ask so rarely that they see nothing themselves. */
const busy = 4;
const path = '/orders';
const options = {
  ...{ requestTimeout: 2_000, consecutiveFailures: 3 },
  ...{ cooldown: 200, maxCooldown: 800, windowDuration: 1_000 },
};

const processesOf = (seen: readonly { process: number }[]) =>
  new Set(seen.map(({ process }) => process)).size;
const firstOf = (changes: readonly Change[]) => Math.min(...changes.map(({ at }) => at));
const lastOf = (changes: readonly Change[]) => Math.max(...changes.map(({ at }) => at));

needs('redis-server')('eight processes before a server that is down', () => {
  let redis: RedisServer;
  let fleet: Fleet;
  let server: WatchedServer;
  let downAt: number;

  beforeAll(async () => {
    redis = await startRedisServer();
    server = await startWatchedServer();
    fleet = await Fleet.start(redis.url, size);
    const work = { url: server.url, paths: [path], isShared: true, options };
    fleet.guard('outage', (process) => ({ ...work, every: process < busy ? 25 : 1_500 }));
    await until(() => processesOf(server.arrivals) === size);
    downAt = Date.now();
    server.answer = () => 'status=503';
  }, 60_000);

  afterAll(async () => {
    await fleet.end();
    server.close();
    await redis.stop();
  });

  it('open when half of them have opened for themselves', async () => {
    await until(() => processesOf(fleet.changed('OPEN', downAt)) === size);
    const opened = fleet.changed('OPEN', downAt);
    console.info(`from the outage to the last OPEN: ${lastOf(opened) - downAt} ms`);
    const own = opened.filter(({ reason }) => reason === 'consecutive');
    expect(processesOf(own)).toBeGreaterThanOrEqual(busy);
    const others = opened.filter(({ process }) => process >= busy);
    for (const { reason } of others) expect(reason).toBe('shared');
  });

  it('send nothing but probes then, one at a time', async () => {
    const openAt = lastOf(fleet.changed('OPEN', downAt));
    const later = () => server.arrivals.filter(({ sentAt }) => sentAt > openAt);
    await until(() => later().length >= 4);
    expect(later().filter(({ probe }) => probe === undefined)).toEqual([]);
    expect(overlaps(server)).toEqual([]);
  });

  it('all close soon after one probe has passed; who saw it itself, by a probe of its own', async () => {
    await fleet.report('outage');
    const upAt = Date.now();
    server.answer = () => 'status=200';
    await until(() => processesOf(fleet.changed('CLOSE', upAt)) === size);
    const closed = fleet.changed('CLOSE', upAt);
    const reports = await fleet.report('outage');
    const figures = {
      firstCloseMs: firstOf(closed) - upAt,
      lastCloseMs: lastOf(closed) - upAt,
      refused: reports.reduce((sum, { refused }) => sum + refused, 0),
    };
    console.info(JSON.stringify(figures));
    expect(lastOf(closed) - firstOf(closed)).toBeLessThan(2_000);
    const sawItself = new Set(
      fleet
        .changed('OPEN', downAt)
        .filter(({ reason }) => reason !== 'shared')
        .map(({ process }) => process),
    );
    const reasons = closed
      .filter(({ process }) => sawItself.has(process))
      .map(({ reason }) => reason);
    expect(reasons).toEqual(Array(sawItself.size).fill('probes-passed'));
    expect(overlaps(server)).toEqual([]);
  });
});
