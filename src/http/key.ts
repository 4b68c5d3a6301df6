import type { AxiosRequestConfig } from 'axios';
import { describe } from '../describe.js';
import type { Faults } from '../faults.js';
import { originReader } from '../request-url.js';
import type { RequestConfig } from './axios-like.js';

/** Which circuit a request belongs to. Synchronous; gets the config as it goes to the wire. */
export type KeyFunction = (config: AxiosRequestConfig) => string;

/** Keys are shown, kept and compared: a longer one is a fault. */
export const longestKey = 1_000;

/** The key of the one circuit that there is where no key is told, and of requests that have none. */
export const defaultKey = 'default';

/** Never throws: a key that cannot be had is a fault, and such requests share one circuit. */
export function keyReader(
  key: 'origin' | KeyFunction | undefined,
  faults: Faults,
): (config: RequestConfig) => string {
  if (key === undefined) return () => defaultKey;
  const originOf = originReader();
  return (config) => {
    try {
      if (key === 'origin') return checkKey(originOf(config) ?? defaultKey);
      return checkKey(key(config as AxiosRequestConfig));
    } catch (error) {
      faults.report('key', error);
      return defaultKey;
    }
  };
}

function checkKey(answer: unknown): string {
  if (typeof answer !== 'string' || answer === '') {
    // Not what is in it: that is of the request.
    const got = typeof answer === 'object' ? 'an object' : describe(answer);
    throw new TypeError(`Expected \`key\` to return a string, got ${got}`);
  }
  if (answer.length <= longestKey) return answer;
  throw new RangeError(
    `Expected \`key\` to return at most ${longestKey} characters, got ${answer.length}`,
  );
}
