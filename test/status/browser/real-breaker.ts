import axios from 'axios';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../../src/index.js';

/** A breaker in real time, which opens at the first failure, and the status that its server answers with. */
export function createReal(options: CircuitBreakerOptions = {}) {
  const server = { status: 200 };
  const client = axios.create({
    adapter: (config) => {
      const { status } = server;
      const response = { status, statusText: '', headers: {}, data: {}, config };
      if (status < 400) return Promise.resolve(response);
      return Promise.reject(new axios.AxiosError(`status ${status}`, 'ERR', config, {}, response));
    },
  });
  const breaker = new CircuitBreaker(client, {
    consecutiveFailures: 1,
    cooldown: 60_000,
    ...options,
  });
  const get = (url = '/') =>
    client.get(url).then(
      () => undefined,
      () => undefined,
    );
  return { breaker, server, get };
}

export const keyed = { key: ({ url = '' }: { url?: string }) => url };
