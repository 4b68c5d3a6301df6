import { EventEmitter, once } from 'node:events';
import type { AxiosAdapter } from 'axios';
import { wireAdapter } from './wire.js';

/** An adapter for one request: sends it at once, and keeps the answer back until it is released. */
export function holdAnswer(): {
  readonly adapter: AxiosAdapter;
  /** Ends when the request is on its way. */
  readonly sent: Promise<unknown>;
  readonly release: () => void;
} {
  const signals = new EventEmitter();
  const sent = once(signals, 'sent');
  const released = once(signals, 'released');
  const adapter: AxiosAdapter = async (config) => {
    const answer = wireAdapter(config);
    signals.emit('sent');
    await Promise.allSettled([answer, released]);
    return answer;
  };
  return { adapter, sent, release: () => void signals.emit('released') };
}
