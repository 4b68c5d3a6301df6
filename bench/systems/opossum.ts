import CircuitBreaker from 'opossum';
import type { System } from './system.js';

/** Its defaults, but for the deadline. */
export const opossum: System = {
  name: 'opossum',
  protect(client, onOpen) {
    const breaker = new CircuitBreaker((url: string) => client.get(url), { timeout: 3_000 });
    breaker.on('open', onOpen);
    return {
      send: (url) => breaker.fire(url),
      isRefusal: (error) => (error as { code?: unknown }).code === 'EOPENBREAKER',
    };
  },
};
