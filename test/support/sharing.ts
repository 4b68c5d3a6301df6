import { setTimeout as wait } from 'node:timers/promises';
import axios, { type InternalAxiosRequestConfig } from 'axios';
import { createClient } from 'redis';
import { CircuitBreakerWithEmitter, type CircuitBreakerOptions } from '../../src/index.js';
import { redisState, type RedisClient, type RedisStateOptions } from '../../src/redis/index.js';
import { createUserClient, type Kind, type UserClient } from './redis-clients.js';
import { startRedisServer, type RedisServer, type RedisSettings } from './redis-server.js';
import { outcome } from './rig.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** A breaker before a service in memory, and everything that it told. */
export interface Party {
  readonly breaker: CircuitBreakerWithEmitter;
  /** Its transitions, each with its reason. */
  readonly told: string[];
  /** The sources of what `onFault` was told. */
  readonly faults: string[];
  /** What the service answers next; 200 when that is used up. */
  readonly answers: { readonly status: number; readonly headers?: object }[];
  readonly get: () => ReturnType<typeof outcome>;
  /** Keeps the answers back until what it returns is called. */
  hold(): () => void;
  /** Meets a rate limit. */
  limit(seconds: number): Promise<void>;
}

/** Opens on 5 failures in a row, for 300 ms, and closes by a probe. */
export function createParty(options: CircuitBreakerOptions = {}): Party {
  const answers: Party['answers'] = [];
  const told: string[] = [];
  const faults: string[] = [];
  let held = Promise.resolve();
  const adapter = async (config: InternalAxiosRequestConfig) => {
    await held;
    const { status, headers = {} } = answers.shift() ?? { status: 200 };
    const response = { status, headers, statusText: '', data: '', config };
    if (status < 400) return response;
    throw new axios.AxiosError('failed', undefined, config, {}, response as never);
  };
  const http = axios.create({ adapter: adapter as never });
  const breaker = new CircuitBreakerWithEmitter(http, {
    consecutiveFailures: 5,
    cooldown: 300,
    cooldownFactor: 1,
    cooldownJitter: 0,
    onFault: (_error, source) => faults.push(source),
    ...options,
  });
  breaker.on('OPEN', ({ reason }) => told.push(`OPEN ${reason}`));
  breaker.on('HALF_OPEN', () => told.push('HALF_OPEN'));
  breaker.on('CLOSE', ({ reason }) => told.push(`CLOSE ${reason}`));
  const get = () => outcome(http.get('/'));
  const hold = () => {
    let release: () => void = () => undefined;
    held = new Promise((resolve) => void (release = resolve));
    return () => release();
  };
  const limit = async (seconds: number) => {
    answers.unshift({ status: 429, headers: { 'retry-after': String(seconds) } });
    await get();
  };
  return { breaker, told, faults, answers, get, hold, limit };
}

/** A Redis, a network before it, and those who share through them. */
export interface Stage {
  readonly server: RedisServer;
  readonly proxy: TcpProxy;
  /** A client through the network. */
  createClient(kind: Kind): UserClient;
  join(client: RedisClient, options?: RedisStateOptions & CircuitBreakerOptions): Party;
  /** A command to the server itself. */
  readonly admin: (...command: string[]) => Promise<unknown>;
  /** Has something else stopped with it. */
  onStop(stop: () => unknown): void;
  stop(): Promise<void>;
}

export async function setStage(settings: RedisSettings = {}): Promise<Stage> {
  const server = await startRedisServer(settings);
  const proxy = await startTcpProxy(server.port);
  // It stays where newcomers are refused.
  const administrator = createClient({ url: server.url }).on('error', () => undefined);
  await administrator.connect();
  const clients: UserClient[] = [];
  const parties: Party[] = [];
  const others: (() => unknown)[] = [];
  return {
    server,
    proxy,
    createClient(kind) {
      const client = createUserClient(kind, proxy.url);
      clients.push(client);
      return client;
    },
    join(client, { prefix, quorum, pollInterval, ...options } = {}) {
      const shared = redisState(client, { prefix, quorum, pollInterval });
      const party = createParty({ name: 'orders', shared, ...options });
      parties.push(party);
      return party;
    },
    admin: (...command) => administrator.sendCommand(command),
    onStop: (stop) => void others.push(stop),
    async stop() {
      for (const { breaker } of parties) breaker.detach();
      for (const client of clients) client.close();
      administrator.destroy();
      await proxy.close();
      await server.stop();
      for (const stop of others) await stop();
    },
  };
}

/** Until it has heard from Redis; on a busy machine the first answers may come too late. */
export async function untilShared({ breaker }: Party): Promise<void> {
  for (let isShared = false; !isShared;) {
    isShared = await breaker.fleet.close('of nobody').then(
      () => true,
      () => wait(200, false),
    );
  }
}

/** A command to the Redis of a port. */
export async function tellRedis(port: number, ...command: string[]): Promise<unknown> {
  const client = await createClient({ socket: { port, host: '127.0.0.1' } }).connect();
  try {
    return await client.sendCommand(command);
  } finally {
    client.destroy();
  }
}
