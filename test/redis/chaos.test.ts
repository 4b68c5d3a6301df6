import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet } from '../support/fleet.js';
import { needs } from '../support/needs.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';
import {
  overlaps,
  probesOf,
  startWatchedServer,
  type Arrival,
  type WatchedServer,
} from '../support/watched-server.js';

const size = 8;
/** How long it lasts: 60 show more. */
const seconds = Number(process.env['CHAOS_SECONDS'] ?? 8);
const path = '/orders';
const requestTimeout = 400;
/** Redis keeps the right to probe so much longer than its process uses it. */
const leaseMs = requestTimeout + 200;
const options = {
  ...{ requestTimeout, consecutiveFailures: 3 },
  ...{ cooldown: 200, maxCooldown: 800, windowDuration: 1_000 },
};

const modes = {
  up: () => 'status=200',
  down: () => 'status=503',
  reset: () => 'behaviour=reset',
  slow: () => 'status=200&delay=2000',
  half: () => (Math.random() < 0.5 ? 'status=503' : 'status=200'),
};
const course = ['slow', 'up', 'half', 'down', 'slow', 'reset', 'up'] as const;

/** A probe that is under way, if there is one in the next `ms` milliseconds. */
async function nextProbe(server: WatchedServer, ms: number): Promise<Arrival | undefined> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    const probe = probesOf(server).find(({ endedAt }) => endedAt === Infinity);
    if (probe) return probe;
    await sleep(10);
  }
  return undefined;
}

needs('redis-server')('eight processes in trouble', () => {
  let redis: RedisServer;
  let fleet: Fleet;
  let server: WatchedServer;

  beforeAll(async () => {
    redis = await startRedisServer();
    server = await startWatchedServer();
    fleet = await Fleet.start(redis.url, size);
    const work = { url: server.url, paths: [path], every: 50, isShared: true, options };
    fleet.guard('chaos', () => work);
  }, 60_000);

  afterAll(async () => {
    await fleet.end();
    server.close();
    await redis.stop();
  });

  async function changeServer(endAt: number): Promise<void> {
    for (let index = 0; Date.now() < endAt; index += 1) {
      server.answer = modes[course[index % course.length] ?? 'up'];
      await sleep(400 + 1_200 * Math.random());
    }
    server.answer = modes.up;
  }

  /** Every other time one that probes, if there is one. */
  async function killProcesses(endAt: number) {
    const killed = { any: 0, probing: 0 };
    for (; Date.now() < endAt; killed.any += 1) {
      await sleep(300 + 700 * Math.random());
      const probe = killed.any % 2 === 0 ? await nextProbe(server, 500) : undefined;
      if (probe) killed.probing += 1;
      await fleet.replace(probe?.process ?? Math.floor(size * Math.random()));
    }
    return killed;
  }

  it(
    'send never two probes at once, and all close in the end',
    async () => {
      const endAt = Date.now() + seconds * 1_000;
      const [killed] = await Promise.all([killProcesses(endAt), changeServer(endAt)]);
      const upAt = Date.now();
      // The right to probe that a dead process has must end first.
      await sleep(options.maxCooldown + 2 * leaseMs + 1_000);
      const reports = await fleet.report('chaos');

      const probes = probesOf(server);
      const pairs = overlaps(server);
      // On a starved machine Redis may not answer in time, and then a process decides alone by design.
      const isExcused = ({ probe }: Arrival) => probe === 'unknown' || probe === 'late';
      // Or it is held up when it is time to give up.
      const hasOutlived = ({ at, endedAt }: Arrival) => endedAt - at > leaseMs;
      const figures = {
        ...{ seconds, killed, requests: server.arrivals.length, probes: probes.length },
        openings: fleet.changed('OPEN').length,
        overlaps: pairs.length,
        excused: probes.filter(isExcused).length,
        outlived: probes.filter(hasOutlived).length,
        heldUpMs: Math.max(...reports.map(({ heldUp }) => heldUp)),
        closedAfterMs: Math.max(0, ...fleet.changed('CLOSE', upAt).map(({ at }) => at - upAt)),
      };
      console.info(JSON.stringify(figures));
      const unexplained = pairs.filter(
        ([older, newer]) => !isExcused(older) && !isExcused(newer) && !hasOutlived(older),
      );
      expect(probes.filter(({ probe }) => probe === 'not asked')).toEqual([]);
      expect(unexplained).toEqual([]);
      expect(reports.map(({ states }) => states[path])).toEqual(Array(size).fill('closed'));
      // Each lasts a cooldown; far more would be news that goes round and round.
      expect(figures.openings).toBeLessThan(2 * size * (seconds + 5));
      expect(killed.any).toBeGreaterThan(seconds / 4);
      expect(probes.length).toBeGreaterThan(seconds / 2);
    },
    (seconds + 40) * 1_000,
  );
});
