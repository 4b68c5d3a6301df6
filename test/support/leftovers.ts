import { getEventListeners } from 'node:events';
import type { CancelToken } from 'axios';

/** How many wait for the signal to be aborted. */
export const listenersOf = (signal: AbortSignal): number =>
  getEventListeners(signal, 'abort').length;

/** How many wait for the token to be cancelled; no types of axios name their list. */
export const subscribersOf = (token: CancelToken): number =>
  (token as { _listeners?: unknown[] | null })._listeners?.length ?? 0;

/** How many signals follow this one by `AbortSignal.any`: no listener of theirs shows it. */
export function dependantsOf(signal: AbortSignal): number {
  const followers = Object.getOwnPropertySymbols(signal)
    .filter(({ description }) => description === 'kDependantSignals')
    .map((symbol) => Reflect.get(signal, symbol) as Set<unknown>);
  return followers[0]?.size ?? 0;
}
