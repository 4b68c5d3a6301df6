import { ignore, withScript, type Commands } from './commands.js';
import { sha, source } from './script.js';

/** What is used of a client of `ioredis`: a `Redis` or a `Cluster`. */
export interface IoredisLike {
  evalsha(sha1: string, numberOfKeys: number, ...rest: string[]): Promise<unknown>;
  eval(script: string, numberOfKeys: number, ...rest: string[]): Promise<unknown>;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
}

interface EventfulIoredis extends IoredisLike {
  readonly isCluster?: boolean;
  readonly stream?: { unref?: () => void };
  duplicate(): EventfulIoredis;
  disconnect(): void;
  on(event: string, listener: (...args: string[]) => void): unknown;
  off(event: string, listener: (...args: string[]) => void): unknown;
}

export function ioredis(given: IoredisLike): Commands {
  const client = given as EventfulIoredis;
  return {
    run: (keys, args) =>
      withScript(
        () => client.evalsha(sha, keys.length, ...keys, ...args),
        () => client.eval(source, keys.length, ...keys, ...args),
      ),
    listen: (channel, onMessage) => {
      const own = client.isCluster === true ? client : client.duplicate();
      const listener = (from?: string, message?: string) => {
        if (from === channel && message !== undefined) onMessage(message);
      };
      const end = () => {
        own.off('message', listener);
        if (own === client) void own.unsubscribe(channel).catch(ignore);
        else own.disconnect();
      };
      if (own !== client) {
        own.on('error', ignore);
        own.on('connect', () => own.stream?.unref?.());
        client.on('end', end);
      }
      own.on('message', listener);
      void own.subscribe(channel).catch(ignore);
      return end;
    },
  };
}
