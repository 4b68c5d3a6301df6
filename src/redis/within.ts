import { setImmediate } from 'node:timers';
import { startTimer, type Clock } from '../circuit/clock.js';

/** What a promise brings within `ms` milliseconds; else `undefined`. */
export function within<Value>(
  clock: Clock,
  ms: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    // A process that was busy finds timers due before it has read what came in long before.
    const stop = startTimer(clock, ms, () => setImmediate(() => resolve(undefined)));
    promise.then(resolve, reject).finally(stop);
  });
}
