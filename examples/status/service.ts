import { AxiosError, type AxiosAdapter, type AxiosResponse } from 'axios';
import type { Clock } from '../../src/index.js';

/** What a service makes of one request: it answers after `ms`, or the connection is refused. */
export interface Treatment {
  readonly ms: number;
  /** @default 200 */
  readonly status?: number | 'refused';
  readonly headers?: Readonly<Record<string, string>>;
}

/** `at`: when the request is sent, in ms from the start; `chance`: a random number in 0 … 1. */
export type Treat = (at: number, url: string, chance: number) => Treatment;

/** A service in memory, which answers on that clock. */
export function service(clock: Clock, random: () => number, treat: Treat): AxiosAdapter {
  return (config) =>
    new Promise((resolve, reject) => {
      const { ms, status = 200, headers = {} } = treat(clock.now(), config.url ?? '', random());
      const timer = clock.setTimeout(() => {
        const response: AxiosResponse = {
          status: Number(status),
          statusText: '',
          headers,
          data: {},
          config,
        };
        if (status === 200) resolve(response);
        else if (status === 'refused') {
          const message = 'connect ECONNREFUSED 10.0.7.21:8443';
          reject(new AxiosError(message, 'ECONNREFUSED', config));
        } else {
          const message = `Request failed with status code ${status}`;
          reject(new AxiosError(message, 'ERR_BAD_RESPONSE', config, {}, response));
        }
      }, ms);
      config.signal?.addEventListener?.('abort', () => {
        clock.clearTimeout(timer);
        reject(new AxiosError('canceled', 'ERR_CANCELED', config));
      });
    });
}

/** Mulberry32: the same numbers each time. */
export function createRandom(): () => number {
  let state = 7;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
