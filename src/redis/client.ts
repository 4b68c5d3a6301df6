import type { Commands } from './commands.js';
import { ioredis, type IoredisLike } from './ioredis.js';
import { nodeRedis, type NodeRedisLike } from './node-redis.js';

/** A client of `redis` or `ioredis`, which is yours: you connect it, listen to its errors, and close it. */
export type RedisClient = NodeRedisLike | IoredisLike;

export function isRedisClient(client: unknown): client is RedisClient {
  const { evalSha, evalsha, eval: run, subscribe } = Object(client) as Record<string, unknown>;
  return [evalSha ?? evalsha, run, subscribe].every((method) => typeof method === 'function');
}

export function commandsOf(client: RedisClient): Commands {
  return 'evalSha' in client ? nodeRedis(client) : ioredis(client);
}
