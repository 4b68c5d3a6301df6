import {
  CircuitBreakerWithEmitter,
  isBreakerOpenError,
  isBulkheadFullError,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import type { System } from './system.js';

/** This package, with such options. */
export const ours = (name: string, options: CircuitBreakerOptions = {}): System => ({
  name: name === '' ? 'circuit-guard' : `circuit-guard, ${name}`,
  protect(client, onOpen) {
    new CircuitBreakerWithEmitter(client, options).on('OPEN', onOpen);
    return {
      send: (url) => client.get(url),
      isRefusal: (error) => isBreakerOpenError(error) || isBulkheadFullError(error),
    };
  },
});
