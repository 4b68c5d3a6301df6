import { Breaker, createParts } from './breaker.js';
import { describe } from './describe.js';
import { asFallback } from './fallback/first-of.js';
import { adapterResolver } from './http/adapter.js';
import { attach } from './http/attach.js';
import type { AxiosLike, AxiosStaticLike, RequestConfig } from './http/axios-like.js';
import type { Request } from './http/dispatch.js';
import { defaultKey, keyReader } from './http/key.js';
import type { CircuitBreakerOptions } from './options.js';
import { resolveOptions } from './resolve-options.js';

/** What a breaker is attached to: an axios instance, alone or with the axios module that made it. */
export type BreakerTarget =
  AxiosLike | { readonly instance: AxiosLike; readonly axios?: AxiosStaticLike | undefined };

/**
 * A circuit breaker on an axios instance that already exists. It watches what the server answers,
 * refuses to send while the server needs rest, and lets traffic flow again by itself.
 *
 * @throws TypeError or RangeError where an option is unknown, is bad, or contradicts another.
 * @throws Error where the instance's default adapter is a name that its axios cannot look up (1.2 to 1.4).
 * @example
 * const breaker = new CircuitBreaker(client, { name: 'orders' });
 * if (breaker.getStatus()) console.log('orders are refused');
 */
export class CircuitBreaker extends Breaker {
  readonly #detach: () => void;

  constructor(http: BreakerTarget, options: CircuitBreakerOptions = {}) {
    const { instance, axios } = targetOf(http);
    const resolved = resolveOptions(options);
    // Before it takes part in anything: it throws where the instance cannot be guarded.
    const resolveAdapter = adapterResolver(instance, axios);
    const parts = createParts(resolved);
    const { circuits, events, seat } = parts;
    if (resolved.key === undefined) circuits.use(defaultKey);
    const keyOf = keyReader(resolved.key, parts.faults);
    const gate = {
      ...parts,
      find: (config: RequestConfig, ownKey: string | undefined) =>
        circuits.use(ownKey ?? keyOf(config)),
      requestTimeout: resolved.requestTimeout,
      resolveAdapter,
      defaultAdapter: () => instance.defaults?.adapter,
      outermost: new WeakMap<object, unknown>(),
      fallback: resolved.fallback,
      toSubstitute: asFallback,
      failed: resolved.fallsBackOnFailure ? new WeakMap<object, Request[]>() : undefined,
    };
    const eject = attach(instance, gate);
    super(parts);
    this.#detach = () => {
      events.close();
      seat?.leave();
      circuits.stop();
      eject();
    };
    makeDisposable(this);
  }

  /**
   * Takes the breaker off the instance, for good. Requests under way end as usual; nothing is told
   * any more. Again is no error. `Symbol.dispose`, where the runtime has it, does the same.
   */
  detach(): void {
    this.#detach();
  }
}

function targetOf(http: BreakerTarget): {
  instance: AxiosLike;
  axios: AxiosStaticLike | undefined;
} {
  const { instance, axios } = Object(http) as { instance?: unknown; axios?: AxiosStaticLike };
  if (isAxios(http)) return { instance: http, axios: undefined };
  if (isAxios(instance)) return { instance, axios };
  throw new TypeError(
    `Expected \`http\` to be an axios instance or { instance }, got ${describe(http)}`,
  );
}

function isAxios(value: unknown): value is AxiosLike {
  const { interceptors } = Object(value) as { interceptors?: { request?: { use?: unknown } } };
  return typeof interceptors?.request?.use === 'function';
}

function makeDisposable(breaker: CircuitBreaker): void {
  const { dispose } = Symbol as { dispose?: symbol };
  if (dispose) Object.defineProperty(breaker, dispose, { value: () => breaker.detach() });
}
