import { startRedisServer } from './redis-server.js';
import { tellRedis, type Stage } from './sharing.js';

/** What befalls a Redis, or the way to it. */
export interface Trouble {
  /** Where nobody can connect from the start. */
  readonly prepare?: (stage: Stage) => Promise<unknown>;
  /** Returns what ends it. */
  begin(stage: Stage): Promise<() => unknown>;
}

const repeat = (ms: number, act: () => unknown) => {
  const timer = setInterval(act, ms);
  return () => clearInterval(timer);
};
const ignore = () => undefined;

export const troubles: Readonly<Record<string, Trouble>> = {
  'killed, and started again empty': {
    async begin({ server }) {
      await server.stop();
      return () => server.start();
    },
  },
  'stopped in its tracks': {
    begin({ server }) {
      server.freeze();
      return Promise.resolve(() => server.thaw());
    },
  },
  'two seconds away': {
    begin({ proxy }) {
      proxy.slowDown(1_000);
      return Promise.resolve(() => proxy.slowDown(0));
    },
  },
  'reset every second': {
    begin({ proxy }) {
      return Promise.resolve(repeat(1_000, () => proxy.reset()));
    },
  },
  'flushed all the time': {
    begin({ admin }) {
      return Promise.resolve(repeat(100, () => void admin('FLUSHALL').catch(ignore)));
    },
  },
  'closed to those without a password': {
    prepare: ({ admin }) => admin('CONFIG', 'SET', 'requirepass', 'secret'),
    begin({ admin }) {
      return Promise.resolve(() => admin('CONFIG', 'SET', 'requirepass', ''));
    },
  },
  'given another password': {
    async begin({ admin }) {
      await admin('CONFIG', 'SET', 'requirepass', 'secret');
      await admin('CLIENT', 'KILL', 'TYPE', 'normal');
      await admin('CLIENT', 'KILL', 'TYPE', 'pubsub');
      return () => admin('CONFIG', 'SET', 'requirepass', '');
    },
  },
  'closed to scripts': {
    async begin({ admin }) {
      await admin('ACL', 'SETUSER', 'default', '-@scripting');
      return () => admin('ACL', 'SETUSER', 'default', '+@all');
    },
  },
  'full, and evicts': {
    async begin({ admin }) {
      const [, used = ''] = /used_memory:(\d+)/.exec(String(await admin('INFO', 'memory'))) ?? [];
      await admin('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random');
      await admin('CONFIG', 'SET', 'maxmemory', String(Number(used) + 200_000));
      const value = 'x'.repeat(20_000);
      let key = 0;
      const stop = repeat(20, () => void admin('SET', String((key += 1)), value).catch(ignore));
      return () => {
        stop();
        return admin('CONFIG', 'SET', 'maxmemory', '0');
      };
    },
  },
  'full, and evicts nothing': {
    async begin({ admin }) {
      await admin('CONFIG', 'SET', 'maxmemory', '1');
      return () => admin('CONFIG', 'SET', 'maxmemory', '0');
    },
  },
  'dead, until its replica is promoted': {
    async begin(stage) {
      const replica = await startRedisServer();
      stage.onStop(() => replica.stop());
      const tell = (...command: string[]) => tellRedis(replica.port, ...command);
      await tell('REPLICAOF', '127.0.0.1', String(stage.server.port));
      while (!String(await tell('INFO', 'replication')).includes('link_status:up'));
      await stage.server.stop();
      return async () => {
        await tell('REPLICAOF', 'NO', 'ONE');
        stage.proxy.leadTo(replica.port);
      };
    },
  },
};
