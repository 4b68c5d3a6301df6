import type { CircuitBreakerWithEmitter, CircuitCounts } from '../../src/index.js';

/** Every event from now on, in order: `OPEN consecutive 300`, `FAILURE`, `SUCCESS late`, `REFUSE`. */
export function watch(breaker: CircuitBreakerWithEmitter): string[] {
  const told: string[] = [];
  breaker.on('OPEN', ({ reason, cooldownMs }) => told.push(`OPEN ${reason} ${cooldownMs}`));
  breaker.on('CLOSE', ({ reason, openForMs }) => told.push(`CLOSE ${reason} ${openForMs}`));
  for (const name of ['SUCCESS', 'FAILURE', 'IGNORE'] as const) {
    breaker.on(name, ({ late }) => told.push(late ? `${name} late` : name));
  }
  for (const name of ['HALF_OPEN', 'WOULD_OPEN', 'REFUSE'] as const) {
    breaker.on(name, () => told.push(name));
  }
  return told;
}

/** So many times the same. */
export const times = <Item>(count: number, item: Item): Item[] =>
  Array.from({ length: count }, () => item);

/** All the counts of a snapshot: those given, and 0 for the others. */
export const counts = (given: Partial<CircuitCounts>): CircuitCounts => ({
  admitted: 0,
  refused: 0,
  success: 0,
  failure: 0,
  ignored: 0,
  slow: 0,
  late: 0,
  opened: 0,
  ...given,
});
