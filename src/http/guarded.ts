/** The adapter of a config on which a guard stands. */
interface Guarded {
  readonly gate: unknown;
  readonly inner: unknown;
}

/** Whether an adapter is a guard, of whichever breaker and copy of this package. */
export function isGuarded(adapter: unknown): adapter is Guarded {
  return typeof adapter === 'function' && 'gate' in adapter && 'inner' in adapter;
}

/** The adapter behind all guards: those are other ones for each request. */
export function withoutGuards(adapter: unknown): unknown {
  return isGuarded(adapter) ? withoutGuards(adapter.inner) : adapter;
}
