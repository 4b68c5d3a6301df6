import type { AxiosRequestConfig } from 'axios';
import { describe } from '../describe.js';
import type { Faults } from '../faults.js';
import { originKey } from '../request-url.js';
import type { RequestConfig } from './axios-like.js';

/** Which circuit a request belongs to. Synchronous; gets the config as it goes to the wire. */
export type KeyFunction = (config: AxiosRequestConfig) => string;

/** The key of the one circuit that there is where no key is told, and of requests that have none. */
export const defaultKey = 'default';

/** Never throws: a key that cannot be had is a fault, and such requests share one circuit. */
export function keyReader(
  key: 'origin' | KeyFunction | undefined,
  faults: Faults,
): (config: RequestConfig) => string {
  if (key === undefined) return () => defaultKey;
  if (key === 'origin') return (config) => originKey(config) ?? defaultKey;
  return (config) => {
    try {
      const answer: unknown = key(config as AxiosRequestConfig);
      if (typeof answer === 'string' && answer !== '') return answer;
      throw new TypeError(`Expected \`key\` to return a string, got ${describe(answer)}`);
    } catch (error) {
      faults.report('key', error);
      return defaultKey;
    }
  };
}
