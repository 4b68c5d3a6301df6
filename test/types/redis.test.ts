import { expectTypeOf } from 'expect-type';
import type { Cluster, Redis } from 'ioredis';
import type { createClient, createCluster, createSentinel } from 'redis';
import type { CircuitBreakerOptions, SharedState } from '../../src/index.js';
import {
  redisState,
  type IoredisLike,
  type NodeRedisLike,
  type RedisClient,
} from '../../src/redis/index.js';

describe('the types of what is shared through Redis', () => {
  it('accept each client of redis', () => {
    expectTypeOf<ReturnType<typeof createClient>>().toExtend<NodeRedisLike>();
    expectTypeOf<ReturnType<typeof createCluster>>().toExtend<NodeRedisLike>();
    expectTypeOf<ReturnType<typeof createSentinel>>().toExtend<NodeRedisLike>();
    expectTypeOf<NodeRedisLike>().toExtend<RedisClient>();
  });

  it('accept each client of ioredis', () => {
    expectTypeOf<Redis>().toExtend<IoredisLike>();
    expectTypeOf<Cluster>().toExtend<IoredisLike>();
    expectTypeOf<IoredisLike>().toExtend<RedisClient>();
  });

  it('give what a breaker takes', () => {
    expectTypeOf(redisState).returns.toEqualTypeOf<SharedState>();
    expectTypeOf<SharedState>().toExtend<CircuitBreakerOptions['shared']>();
  });

  it('refuse anything else', () => {
    // @ts-expect-error -- a URL is no client
    expect(() => redisState('redis://127.0.0.1')).toThrow(TypeError);
    // @ts-expect-error -- no client
    expect(() => redisState({ get: () => undefined })).toThrow(TypeError);
    // @ts-expect-error -- nothing
    expect(() => redisState()).toThrow(TypeError);
    // @ts-expect-error -- one that cannot listen
    expectTypeOf<Pick<Redis, 'evalsha' | 'eval'>>().toExtend<RedisClient>();
  });
});
