import type { Commands } from './commands.js';
import { ioredis, type IoredisLike } from './ioredis.js';
import { nodeRedis, type NodeRedisLike } from './node-redis.js';

/** A client of `redis` or `ioredis`, which is yours: you connect it, listen to its errors, and close it. */
export type RedisClient = NodeRedisLike | IoredisLike;

export function isRedisClient(client: unknown): client is RedisClient {
  const { evalSha, evalsha, eval: run, subscribe } = Object(client) as Record<string, unknown>;
  return [evalSha ?? evalsha, run, subscribe].every((method) => typeof method === 'function');
}

const known = new WeakMap<RedisClient, Commands>();

/** The same for all breakers of a client: they share one connection to listen on. */
export function commandsOf(client: RedisClient): Commands {
  const commands = known.get(client) ?? createCommands(client);
  known.set(client, commands);
  return commands;
}

function createCommands(client: RedisClient): Commands {
  return 'evalSha' in client ? nodeRedis(client) : ioredis(client);
}
