/** Where a breaker takes the time and its timers from. */
export interface Clock {
  /** Milliseconds from any fixed instant; never later than real time passes. */
  now(): number;
  /** Calls `fn` after `ms` milliseconds and returns a handle for `clearTimeout`. */
  setTimeout(fn: () => void, ms: number): unknown;
  /** Stops a timer; an ended one is no error. */
  clearTimeout(handle: unknown): void;
}

/** Monotonic time and real timers, looked up at each call so that fake timers can replace them. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (handle) => clearTimeout(handle as number),
};

/** Beyond this a timer fires at once. */
const longestLeg = 2 ** 31 - 1;

/**
 * Calls `fn` once `ms` milliseconds have passed, however many those are, without keeping the
 * process alive unless that is wanted. Returns the function that stops it.
 */
export function startTimer(
  clock: Clock,
  ms: number,
  fn: () => void,
  { keepsAlive = false } = {},
): () => void {
  const end = clock.now() + ms;
  let handle: unknown;
  const startLeg = (rest: number) => {
    handle = clock.setTimeout(endLeg, Math.min(Math.ceil(rest), longestLeg));
    if (!keepsAlive) (handle as { unref?: () => void } | undefined)?.unref?.();
  };
  const endLeg = () => {
    const rest = end - clock.now();
    if (rest > 0) startLeg(rest);
    else fn();
  };
  startLeg(ms);
  return () => clock.clearTimeout(handle);
}
