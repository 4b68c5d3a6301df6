import { ignore, withScript, type Commands } from './commands.js';
import { sha, source } from './script.js';
import {
  Subscriptions,
  type Source,
  type Subscriber,
  type SubscriberEvents,
} from './subscriptions.js';

/** What is used of a client of `ioredis`: a `Redis` or a `Cluster`. */
export interface IoredisLike {
  evalsha(sha1: string, numberOfKeys: number, ...rest: string[]): Promise<unknown>;
  eval(script: string, numberOfKeys: number, ...rest: string[]): Promise<unknown>;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
}

interface EventfulIoredis extends IoredisLike {
  readonly isCluster?: boolean;
  readonly status: string;
  readonly stream?: { unref?: () => void };
  duplicate(override: object): EventfulIoredis;
  disconnect(): void;
  on(event: string, listener: (...args: string[]) => void): unknown;
  off(event: string, listener: (...args: string[]) => void): unknown;
}

export function ioredis(given: IoredisLike): Commands {
  const client = given as EventfulIoredis;
  const subscriptions = new Subscriptions(sourceOf(client));
  return {
    run: (keys, args) =>
      withScript(
        () => client.evalsha(sha, keys.length, ...keys, ...args),
        () => client.eval(source, keys.length, ...keys, ...args),
      ),
    listen: (channel, onMessage) => subscriptions.listen(channel, onMessage),
  };
}

function sourceOf(client: EventfulIoredis): Source {
  return {
    isReady: () => client.status === 'ready',
    on: (event, listener) => client.on(event, listener),
    off: (event, listener) => client.off(event, listener),
    subscriber: (events) =>
      client.isCluster === true ? onCluster(client, events) : onItsOwn(client, events),
  };
}

/** A cluster has a connection for that, and tells it again what it is to hear. */
function onCluster(client: EventfulIoredis, events: SubscriberEvents): Subscriber {
  const stop = hear(client, events);
  queueMicrotask(events.onReady);
  return subscriber(client, stop);
}

/**
 * A connection that listens can do nothing else. This one does not come back by itself: its timers would
 * keep a process whose client was closed while it could not connect, for then the client tells no end.
 */
function onItsOwn(client: EventfulIoredis, events: SubscriberEvents): Subscriber {
  const own = client.duplicate({
    autoResubscribe: false,
    lazyConnect: false,
    retryStrategy: () => null,
  });
  const stop = hear(own, events);
  own.on('error', ignore);
  own.on('connect', () => own.stream?.unref?.());
  own.on('end', events.onEnd);
  return subscriber(own, () => {
    stop();
    own.off('end', events.onEnd);
    if (own.status !== 'end') own.disconnect();
  });
}

function hear(own: EventfulIoredis, { onReady, onMessage }: SubscriberEvents): () => void {
  const listener = (channel?: string, message?: string) => {
    if (channel !== undefined && message !== undefined) onMessage(channel, message);
  };
  own.on('ready', onReady);
  own.on('message', listener);
  return () => {
    own.off('ready', onReady);
    own.off('message', listener);
  };
}

function subscriber(own: EventfulIoredis, close: () => void): Subscriber {
  return {
    subscribe: (channel) => own.subscribe(channel),
    unsubscribe: (channel) => own.unsubscribe(channel),
    isOpen: () => own.status !== 'end',
    close,
  };
}
