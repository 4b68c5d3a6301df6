import { Redis } from 'ioredis';
import { createClient } from 'redis';
import type { RedisClient } from '../../src/redis/index.js';

export const kinds = ['node-redis', 'ioredis'] as const;
export type Kind = (typeof kinds)[number];

/** A client as a user has it: with somebody who listens to its errors. */
export interface UserClient {
  readonly client: RedisClient;
  /** Starts to connect, as long as that takes. */
  connect(): void;
  readonly isReady: () => boolean;
  /** Closes it, whatever it is doing. */
  close(): void;
  /** How many listen to its events. */
  listeners(): number;
}

export function createUserClient(kind: Kind, url: string): UserClient {
  return kind === 'ioredis' ? createIoredis(url) : createNodeRedis(url);
}

function createNodeRedis(url: string): UserClient {
  const client = createClient({ url }).on('error', ignore);
  return {
    client,
    connect: () => void client.connect().catch(ignore),
    isReady: () => client.isReady,
    close: () => client.destroy(),
    listeners: () => countListeners(client),
  };
}

function createIoredis(url: string): UserClient {
  const client = new Redis(url, { lazyConnect: true }).on('error', ignore);
  return {
    client,
    connect: () => void client.connect().catch(ignore),
    isReady: () => client.status === 'ready',
    close: () => {
      if (client.status !== 'end') client.disconnect();
    },
    listeners: () => countListeners(client),
  };
}

interface Emitter {
  eventNames(): (string | symbol)[];
  listenerCount(name: string | symbol): number;
}

function countListeners(client: Emitter): number {
  return client.eventNames().reduce((sum, name) => sum + client.listenerCount(name), 0);
}

function ignore(): void {
  return undefined;
}
