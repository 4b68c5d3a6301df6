import type { CircuitState } from '../circuit/state.js';

/** Ordered by how much is refused. */
export const stateCodes: Record<CircuitState, number> = {
  disabled: -1,
  closed: 0,
  'half-open': 1,
  open: 2,
  'forced-open': 3,
};

/** Every state that a circuit can be in. */
export const states = Object.keys(stateCodes) as CircuitState[];
