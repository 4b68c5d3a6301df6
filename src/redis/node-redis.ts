import { ignore, withScript, type Commands } from './commands.js';
import { sha, source } from './script.js';
import { Subscriptions, type Source } from './subscriptions.js';

type Listener = (message: string, channel: string) => void;

/** What is used of a client of `redis` (node-redis): one of `createClient`, `createCluster` or `createSentinel`. */
export interface NodeRedisLike {
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  subscribe(channel: string, listener: Listener): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
}

export function nodeRedis(given: NodeRedisLike): Commands {
  const client = given as EventfulNodeRedis;
  const subscriptions = new Subscriptions(isSingle(client) ? single(client) : several(client));
  return {
    run: (keys, args) => {
      const options = { keys, arguments: args };
      return withScript(
        () => client.evalSha(sha, options),
        () => client.eval(source, options),
      );
    },
    listen: (channel, onMessage) => subscriptions.listen(channel, onMessage),
  };
}

interface EventfulNodeRedis extends NodeRedisLike {
  unsubscribe(channel: string, listener?: Listener): Promise<unknown>;
  on?(event: string, listener: () => void): unknown;
  off?(event: string, listener: () => void): unknown;
}

/** What a single connection has beyond that. */
interface SingleNodeRedis extends EventfulNodeRedis {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  readonly isOpen: boolean;
  readonly isReady: boolean;
  duplicate(): SingleNodeRedis;
  connect(): Promise<unknown>;
  unref(): void;
  destroy(): void;
}

function isSingle(client: EventfulNodeRedis): client is SingleNodeRedis {
  return 'unref' in client && 'duplicate' in client;
}

/** A connection that listens can do nothing else. */
function single(client: SingleNodeRedis): Source {
  return {
    isReady: () => client.isReady,
    on: (event, listener) => client.on(event, listener),
    off: (event, listener) => client.off(event, listener),
    subscriber({ onReady, onMessage }) {
      const own = client.duplicate();
      const listener: Listener = (message, channel) => onMessage(channel, message);
      own.on('error', ignore);
      own.on('ready', onReady);
      own.unref();
      void own.connect().catch(ignore);
      return {
        subscribe: (channel) => own.subscribe(channel, listener),
        unsubscribe: (channel) => own.unsubscribe(channel, listener),
        isOpen: () => own.isOpen,
        close() {
          if (own.isOpen) own.destroy();
        },
      };
    },
  };
}

/** Where there are several connections, the client has one for that. */
function several(client: EventfulNodeRedis): Source {
  return {
    isReady: () => true,
    on: (event, listener) => client.on?.(event, listener),
    off: (event, listener) => client.off?.(event, listener),
    subscriber({ onReady, onMessage }) {
      const listener: Listener = (message, channel) => onMessage(channel, message);
      // A sentinel tells the one, a cluster the other.
      const events = ['ready', 'node-ready'];
      for (const event of events) client.on?.(event, onReady);
      queueMicrotask(onReady);
      return {
        subscribe: (channel) => client.subscribe(channel, listener),
        unsubscribe: (channel) => client.unsubscribe(channel, listener),
        isOpen: () => true,
        close() {
          for (const event of events) client.off?.(event, onReady);
        },
      };
    },
  };
}
