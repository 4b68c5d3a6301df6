import { startFaultProxy, type FaultProxy } from '../../test-server/fault-proxy.js';
import { Fleet, until, type Change } from '../support/fleet.js';
import { needs } from '../support/needs.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';
import { startWatchedServer, type WatchedServer } from '../support/watched-server.js';

const size = 8;
const path = '/orders';
// Longer than a busy machine may hold a process up: only the one that is cut off is to fail.
const options = { requestTimeout: 20_000, consecutiveFailures: 3, cooldown: 100, maxCooldown: 400 };

needs('redis-server')('one of eight processes, whose own way to the server is cut', () => {
  let redis: RedisServer;
  let fleet: Fleet;
  let server: WatchedServer;
  let proxy: FaultProxy;

  beforeAll(async () => {
    redis = await startRedisServer();
    server = await startWatchedServer();
    proxy = await startFaultProxy(server.port);
    fleet = await Fleet.start(redis.url, size);
    const work = { paths: [path], every: 50, isShared: true, options };
    fleet.guard('alone', (process) => ({ ...work, url: process === 0 ? proxy.url : server.url }));
  }, 60_000);

  afterAll(async () => {
    await fleet.end();
    await proxy.close();
    server.close();
    await redis.stop();
  });

  const told = (said: Change['said']) => fleet.changed(said).filter(({ process }) => process === 0);

  it('opens, and the others go on as if nothing had happened', async () => {
    await until(() => new Set(server.arrivals.map(({ process }) => process)).size === size);
    await fleet.report('alone');
    proxy.fault = 'reset-at-accept';
    // It opens, and probes in vain.
    await until(() => told('OPEN').length >= 5);
    const [cut, ...others] = await fleet.report('alone');
    expect(cut?.refused).toBeGreaterThan(0);
    for (const { passed, refused, failed, states } of others) {
      expect(passed).toBeGreaterThan(0);
      expect({ refused, failed, states }).toEqual({
        ...{ refused: 0, failed: 0 },
        states: { [path]: 'closed' },
      });
    }
    expect(fleet.changes.filter(({ process }) => process !== 0)).toEqual([]);
    for (const { reason } of told('OPEN').slice(1)) expect(reason).toBe('probe-failed');
  });

  it('closes when it is there again, and the others notice nothing of that either', async () => {
    proxy.fault = 'none';
    await until(() => told('CLOSE').length === 1);
    expect(told('CLOSE')).toMatchObject([{ reason: 'probes-passed' }]);
    expect(fleet.changes.filter(({ process }) => process !== 0)).toEqual([]);
  });
});
