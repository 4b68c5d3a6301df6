import type { BreakerEventName, EventSink } from './events.js';

interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

interface Diagnostics {
  channel(name: string): Channel;
}

/**
 * Publishes every event of a breaker on the channel `axios-circuit-guard:<EVENT>` of Node's
 * `diagnostics_channel`, with the name of the breaker, for tools that watch a process from within.
 * Nothing where there is no such module: in browsers, and before Node 20.16.
 */
export function diagnosticsSink(breaker: string): EventSink | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => Diagnostics | undefined };
  };
  const diagnostics = process?.getBuiltinModule?.('node:diagnostics_channel');
  if (diagnostics === undefined) return undefined;
  const channels: Partial<Record<BreakerEventName, Channel>> = {};
  const channelOf = (type: BreakerEventName) =>
    (channels[type] ??= diagnostics.channel(`axios-circuit-guard:${type}`));
  return {
    wants: (type) => channelOf(type).hasSubscribers,
    tell: (type, event) => channelOf(type).publish({ breaker, ...event }),
  };
}
