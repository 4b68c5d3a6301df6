import { ignore, withScript, type Commands } from './commands.js';
import { sha, source } from './script.js';

type Listener = (message: string, channel: string) => void;

/** What is used of a client of `redis` (node-redis): one of `createClient`, `createCluster` or `createSentinel`. */
export interface NodeRedisLike {
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  subscribe(channel: string, listener: Listener): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
}

export function nodeRedis(client: NodeRedisLike): Commands {
  return {
    run: (keys, args) => {
      const options = { keys, arguments: args };
      return withScript(
        () => client.evalSha(sha, options),
        () => client.eval(source, options),
      );
    },
    listen: (channel, onMessage) => {
      const subscriber = createSubscriber(client);
      const listener: Listener = (message) => onMessage(message);
      const ready = subscriber.connect().then(() => subscriber.client.subscribe(channel, listener));
      void ready.catch(ignore);
      return () => {
        void ready.then(() => subscriber.client.unsubscribe(channel)).catch(ignore);
        subscriber.end();
      };
    },
  };
}

/** What a single connection has beyond what is used of every client. */
interface SingleNodeRedis extends NodeRedisLike {
  duplicate(): SingleNodeRedis;
  connect(): Promise<unknown>;
  on(event: string, listener: () => void): unknown;
  unref(): void;
  destroy(): void;
  readonly isOpen: boolean;
}

/** A connection that listens can do nothing else; where there are several, the client has one for that. */
function createSubscriber(client: NodeRedisLike): {
  client: NodeRedisLike;
  connect: () => Promise<unknown>;
  end: () => void;
} {
  if (!isSingle(client)) return { client, connect: () => Promise.resolve(), end: ignore };
  const own = client.duplicate();
  const end = () => {
    if (own.isOpen) own.destroy();
  };
  own.on('error', ignore);
  // Whoever closes the client wants no connection to be left.
  client.on('end', end);
  const connect = async () => {
    await own.connect();
    own.unref();
  };
  return { client: own, connect, end };
}

function isSingle(client: NodeRedisLike): client is SingleNodeRedis {
  return ['duplicate', 'unref', 'destroy'].every(
    (method) => typeof (client as unknown as Record<string, unknown>)[method] === 'function',
  );
}
