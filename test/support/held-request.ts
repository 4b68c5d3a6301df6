import { EventEmitter, once } from 'node:events';
import type { AxiosInstance } from 'axios';

/** An interceptor that keeps the requests for one path back until they are released. */
export function holdRequests(path: string): {
  readonly plugIn: (client: AxiosInstance) => void;
  /** Ends when the first of them is held. */
  readonly held: Promise<unknown>;
  readonly release: () => void;
} {
  const signals = new EventEmitter();
  const held = once(signals, 'held');
  const released = once(signals, 'released');
  const plugIn = ({ interceptors }: AxiosInstance) =>
    void interceptors.request.use(async (config) => {
      if (config.url !== path) return config;
      signals.emit('held');
      await released;
      return config;
    });
  return { plugIn, held, release: () => void signals.emit('released') };
}
