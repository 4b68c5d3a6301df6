import { describe } from '../describe.js';
import { answerOf, type Fallback, type OwnAnswer } from './fallback.js';
import type { FallbackFunction, FallbackRequest } from './fallback.js';

class Degrade implements Fallback {
  readonly #fn: FallbackFunction;

  constructor(fn: FallbackFunction) {
    this.#fn = fn;
  }

  async answer({ config, error }: FallbackRequest): Promise<OwnAnswer> {
    return answerOf('degrade', await this.#fn(config, error));
  }
}

/**
 * The answer of any function, such as one that asks another server. A bare function as `fallback` is the
 * same.
 *
 * @throws TypeError where `fn` is no function.
 * @example
 * const backup = { baseURL: 'https://backup.example.com', circuitBreaker: false } as const;
 * new CircuitBreaker(client, {
 *   fallback: degrade(async ({ url = '/' }) => (await client.get(url, backup)).data),
 * });
 */
export function degrade(fn: FallbackFunction): Fallback {
  if (typeof fn === 'function') return new Degrade(fn);
  throw new TypeError(`Expected \`fn\` to be a function, got ${describe(fn)}`);
}
