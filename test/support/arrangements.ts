import axios, { type AxiosInstance, type CreateAxiosDefaults } from 'axios';
import type { CircuitBreakerOptions } from '../../src/index.js';
import { startRigBeside, type Order } from './rig-around.js';
import type { Rig } from './rig.js';

/** How a plugin and the breaker can stand on one client. */
export interface Arrangement {
  /** As the titles of tests say it. */
  readonly arrangement: string;
  readonly order: Order;
  /** Of the client. */
  readonly config: CreateAxiosDefaults;
  /** Whether the plugin's request interceptor runs before the breaker's. */
  readonly asksFirst: boolean;
}

/** From 1.13.5 on request interceptors can run in the order in which they were registered. */
const inOrder: CreateAxiosDefaults = {
  transitional: { ...axios.defaults.transitional, legacyInterceptorReqResOrdering: false },
};

const legacy: readonly Arrangement[] = [
  { arrangement: 'before the breaker', order: 'before', config: {}, asksFirst: false },
  { arrangement: 'after the breaker', order: 'after', config: {}, asksFirst: true },
];

/** All that this axios has. */
export const arrangements: readonly Arrangement[] =
  'legacyInterceptorReqResOrdering' in (axios.defaults.transitional ?? {})
    ? [
        ...legacy,
        ...legacy.map(({ arrangement, order, asksFirst }) => ({
          arrangement: `${arrangement}, without the legacy ordering`,
          order,
          config: inOrder,
          asksFirst: !asksFirst,
        })),
      ]
    : legacy;

export const startArranged = (
  { order, config }: Arrangement,
  plugIn: (client: AxiosInstance) => void,
  options: CircuitBreakerOptions = {},
): Promise<Rig> => startRigBeside(order, plugIn, options, config);
