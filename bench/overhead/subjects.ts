import axios, { CanceledError, type AxiosAdapter, type AxiosInstance } from 'axios';
import axiosRetry from 'axios-retry';
import {
  circuitBreaker,
  ConsecutiveBreaker,
  handleAll,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import CircuitBreakerOfOpossum from 'opossum';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../src/index.js';
import { plain } from '../systems/plain.js';

export type Send = (url: string) => Promise<unknown>;

const resolving: AxiosAdapter = (config) =>
  Promise.resolve({ status: 200, statusText: 'OK', headers: {}, data: null, config });
const create = () => axios.create({ adapter: resolving });
const sendBy =
  (client: AxiosInstance): Send =>
  (url) =>
    client.get(url);

function guarded(options: CircuitBreakerOptions, command?: 'open'): Send {
  const client = create();
  const breaker = new CircuitBreaker(client, options);
  if (command === 'open') breaker.open();
  return sendBy(client);
}

function opossum(client = create(), options = {}) {
  return new CircuitBreakerOfOpossum((url: string) => client.get(url), options);
}

const cockatiel = () =>
  circuitBreaker(handleAll, { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(5) });

/** Clients whose adapter answers at once: what is left is the cost of sending. */
export const closed = {
  'axios alone': () => sendBy(create()),
  'no-op interceptor pair': () => {
    const client = create();
    client.interceptors.request.use((config) => config);
    client.interceptors.response.use((response) => response);
    return sendBy(client);
  },
  'plain breaker': () => {
    const client = create();
    plain(() => true).protect(client, () => undefined);
    return sendBy(client);
  },
  'axios-retry': () => {
    const client = create();
    axiosRetry(client);
    return sendBy(client);
  },
  opossum: () => {
    const breaker = opossum();
    return (url: string) => breaker.fire(url);
  },
  cockatiel: () => {
    const client = create();
    const policy = cockatiel();
    return (url: string) => policy.execute(() => client.get(url));
  },
  'cockatiel, timeout 3 s': () => {
    const client = create();
    const policy = wrap(cockatiel(), timeout(3_000, TimeoutStrategy.Aggressive));
    return (url: string) => policy.execute(({ signal }) => client.get(url, { signal }));
  },
  'circuit-guard, first error': () =>
    guarded({ errorHandler: (error) => error.response?.status === 429 }),
  'circuit-guard': () => guarded({}),
  'circuit-guard, by origin': () => guarded({ key: 'origin' }),
  'circuit-guard, requestTimeout 3 s': () => guarded({ requestTimeout: 3_000 }),
} satisfies Record<string, () => Send>;

const error = new CanceledError('canceled');

/** Clients that reject at once. */
export const refusing = {
  'axios, rejecting adapter': () => sendBy(axios.create({ adapter: () => Promise.reject(error) })),
  'opossum, open': () => {
    // It would let a probe through after half a minute, which is less than the bench takes.
    const breaker = opossum(create(), { resetTimeout: 3_600_000 });
    breaker.open();
    return (url: string) => breaker.fire(url);
  },
  'cockatiel, isolated': () => {
    const client = create();
    const policy = cockatiel();
    policy.isolate();
    return (url: string) => policy.execute(() => client.get(url));
  },
  'circuit-guard, open': () => guarded({}, 'open'),
} satisfies Record<string, () => Send>;

/** Something for each of so many keys, each used once and then idle; kept alive by what is returned. */
export const keyed = {
  opossum: async (keys: string[]) => {
    const client = create();
    const breakers = keys.map(() => opossum(client));
    for (const [index, breaker] of breakers.entries()) await breaker.fire(keys[index] ?? '');
    return breakers;
  },
  cockatiel: async (keys: string[]) => {
    const client = create();
    const policies = keys.map(() => cockatiel());
    for (const [index, policy] of policies.entries()) {
      await policy.execute(() => client.get(keys[index] ?? ''));
    }
    return policies;
  },
  'circuit-guard, by origin': async (keys: string[]) => {
    const send = guarded({ key: 'origin', maxKeys: keys.length });
    for (const key of keys) await send(key);
    return send;
  },
} satisfies Record<string, (keys: string[]) => Promise<unknown>>;
