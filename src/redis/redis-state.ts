import { randomUUID } from 'node:crypto';
import { fail, number, ofType, readOptions, type Check } from '../checks.js';
import type { SharedMember, SharedSeat, SharedState } from '../shared-state.js';
import { commandsOf, isRedisClient, type RedisClient } from './client.js';
import { RedisSeat, type SeatRules } from './seat.js';

/** How processes share through Redis. */
export interface RedisStateOptions {
  /**
   * What the keys in Redis begin with. Processes share with those that have the same prefix, and breakers
   * of the same `name`. Not empty, without braces.
   * @default 'axios-circuit-guard'
   */
  readonly prefix?: string | undefined;
  /**
   * The share of the live processes that must have opened for themselves before an outage opens all; two at
   * least. Above 0, at most 1.
   * @default 0.5
   */
  readonly quorum?: number | undefined;
  /**
   * How often each process asks Redis for news, in ms, 10 % more or less by chance; what Redis publishes
   * brings them sooner. What is older than three of these is not used, and a process that has not asked for so long does not
   * count as live. From 100 to 60_000.
   * @default 1_000
   */
  readonly pollInterval?: number | undefined;
}

const checks: Record<keyof RedisStateOptions, Check> = {
  // Braces would say to a Cluster which part of a key counts.
  prefix: ofType('string', 'a string that is not empty and has no braces', (value) =>
    /^[^{}]+$/.test(value as string),
  ),
  quorum: number('a number above 0 and at most 1', (value) => value > 0 && value <= 1),
  pollInterval: number(
    'a number of milliseconds from 100 to 60000',
    (value) => value >= 100 && value <= 60_000,
  ),
};

/** What this process is called in Redis: over one client it has one vote, however many breakers. */
const nodes = new WeakMap<RedisClient, string>();

class RedisState implements SharedState {
  readonly #client: RedisClient;
  readonly #rules: SeatRules;

  constructor(client: RedisClient, rules: SeatRules) {
    this.#client = client;
    this.#rules = rules;
  }

  join(member: SharedMember): SharedSeat {
    return new RedisSeat(member, commandsOf(this.#client), this.#rules);
  }
}

/**
 * What a breaker takes as `shared`: it tells the breakers of the same `name` in other processes what it
 * learns, and hears what they do. The client is yours: connect it, listen to its errors, close it. While
 * Redis cannot be reached each breaker goes on alone.
 *
 * @throws TypeError where there is no client of `redis` or `ioredis`, or an option is unknown or bad;
 * RangeError where one is bad.
 * @example
 * import axios from 'axios';
 * import { CircuitBreaker } from 'axios-circuit-guard';
 * import { redisState } from 'axios-circuit-guard/redis';
 * import { createClient } from 'redis';
 *
 * const redis = await createClient({ url: 'redis://127.0.0.1' }).on('error', console.error).connect();
 * new CircuitBreaker(axios.create(), { name: 'orders', shared: redisState(redis) });
 */
export function redisState(client: RedisClient, options: RedisStateOptions = {}): SharedState {
  if (!isRedisClient(client)) {
    fail('client', 'a client of `redis` or `ioredis`', client, TypeError);
  }
  const {
    prefix = 'axios-circuit-guard',
    quorum = 0.5,
    pollInterval = 1_000,
  } = readOptions(options, checks);
  const node = nodes.get(client) ?? randomUUID();
  nodes.set(client, node);
  return new RedisState(client, { prefix, quorum, pollInterval, node });
}
