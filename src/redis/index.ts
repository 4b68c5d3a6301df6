export { redisState, type RedisStateOptions } from './redis-state.js';
export type { RedisClient } from './client.js';
export type { IoredisLike } from './ioredis.js';
export type { NodeRedisLike } from './node-redis.js';
