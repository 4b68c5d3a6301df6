import axios, { type AxiosError } from 'axios';
import type { System } from './system.js';

/** The breaker that everybody writes first: a flag, a timer and two interceptors. */
export function plain(isFailure: (error: AxiosError) => boolean): System {
  return {
    name: 'plain breaker, 10 s',
    protect(client, onOpen) {
      let isOpen = false;
      client.interceptors.request.use((config) => {
        if (isOpen) throw new axios.CanceledError('Circuit breaker is open');
        return config;
      });
      client.interceptors.response.use(undefined, (error: AxiosError) => {
        if (!isOpen && !axios.isCancel(error) && isFailure(error)) {
          isOpen = true;
          onOpen();
          setTimeout(() => (isOpen = false), 10_000);
        }
        throw error;
      });
      return { send: (url) => client.get(url), isRefusal: (error) => axios.isCancel(error) };
    },
  };
}
