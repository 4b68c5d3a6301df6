import type { CircuitFigures, Refusal } from './figures.js';
import type { OpenReason, State } from './state.js';
import { noCalls, share } from './window.js';

/** What a state shows of itself at an instant. */
export function figuresOf(
  state: State,
  now: number,
): Omit<CircuitFigures, 'counts' | 'inFlight' | 'lastError'> {
  const tally = state.name === 'closed' ? state.tally : undefined;
  const failures = tally?.failures(now) ?? noCalls;
  const slowness = tally?.slowness(now) ?? noCalls;
  return {
    state: state.name,
    failureRate: share(failures),
    slowRate: share(slowness),
    failures,
    slowness,
    retryAfterMs: retryAfter(state, now),
    openReason: reasonOf(state),
  };
}

export function refusalOf(state: State, now: number): Refusal {
  return {
    refused: true,
    state: state.name,
    reason: reasonOf(state) ?? 'manual',
    retryAfterMs: retryAfter(state, now),
    cause: 'cause' in state ? state.cause : undefined,
  };
}

function retryAfter(state: State, now: number): number {
  if (state.name === 'open') return Math.max(0, Math.ceil(state.until - now));
  return state.name === 'forced-open' ? Infinity : 0;
}

export function reasonOf(state: State): OpenReason | undefined {
  if (state.name === 'forced-open') return 'manual';
  return state.name === 'open' || state.name === 'half-open' ? state.reason : undefined;
}
