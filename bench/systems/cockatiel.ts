import {
  circuitBreaker,
  ConsecutiveBreaker,
  CountBreaker,
  handleAll,
  isBrokenCircuitError,
  SamplingBreaker,
  type IBreaker,
} from 'cockatiel';
import type { System } from './system.js';

const cockatiel = (name: string, createBreaker: () => IBreaker): System => ({
  name: `cockatiel, ${name}`,
  protect(client, onOpen) {
    const policy = circuitBreaker(handleAll, { halfOpenAfter: 10_000, breaker: createBreaker() });
    policy.onBreak(onOpen);
    return {
      send: (url) => policy.execute(() => client.get(url)),
      isRefusal: isBrokenCircuitError,
    };
  },
});

/** As its readme sets them up. */
export const cockatiels = {
  consecutive: cockatiel('5 in a row', () => new ConsecutiveBreaker(5)),
  count: cockatiel('20 % of 100', () => new CountBreaker({ threshold: 0.2, size: 100 })),
  sampling: cockatiel(
    '20 % in 30 s',
    () => new SamplingBreaker({ threshold: 0.2, duration: 30_000 }),
  ),
};
