import { CountWindow } from './count-window.js';
import { InFlightList } from './in-flight-list.js';
import type { Permit } from './permit.js';
import type { OpenReason } from './state.js';
import { TimeWindow } from './time-window.js';
import { tripReason, type TripRules } from './trip-policy.js';
import { noCalls, type Window, type WindowFigures, type WindowRule } from './window.js';

export interface TallyRules {
  readonly window: WindowRule;
  readonly trip: TripRules;
  readonly slowCallDuration: number | undefined;
}

/** What one closed era has seen, and whether that is reason to open. */
export class Tally {
  readonly #rules: TallyRules;
  /** Where slowness counts. */
  readonly #inFlight: InFlightList | undefined;
  #failures: Window | undefined;
  #slowness: Window | undefined;
  #badInARow = 0;
  #hasSucceeded = false;

  constructor(rules: TallyRules) {
    this.#rules = rules;
    this.#inFlight = rules.slowCallDuration === undefined ? undefined : new InFlightList();
  }

  get hasSucceeded(): boolean {
    return this.#hasSucceeded;
  }

  failures(now: number): WindowFigures {
    return this.#failures?.figures(now) ?? noCalls;
  }

  slowness(now: number): WindowFigures {
    return this.#slowness?.figures(now) ?? noCalls;
  }

  start(permit: Permit): void {
    this.#inFlight?.add(permit);
  }

  /** Counts the permits in flight that are overdue by now as slow, until that is reason to open. */
  countOverdue(now: number): OpenReason | undefined {
    const limit = this.#rules.slowCallDuration ?? Infinity;
    const list = this.#inFlight;
    for (let permit = list?.head; permit; permit = list?.head) {
      if (now - permit.startedAt < limit) return undefined;
      list?.remove(permit);
      permit.overdue = true;
      this.#badInARow += 1;
      this.#recordSlowness(now, true);
      const reason = this.#trip(now, false);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Takes a permit out of those in flight, whatever becomes of it. */
  end(permit: Permit): void {
    if (!permit.overdue) this.#inFlight?.remove(permit);
  }

  /** Records the verdict on an ended call; one that was overdue has been counted as slow already. */
  record(now: number, permit: Permit, failed: boolean, isExcused: boolean): OpenReason | undefined {
    this.#failures ??= this.#newWindow();
    this.#failures.record(now, failed);
    if (!failed) this.#hasSucceeded = true;
    if (!permit.overdue) {
      this.#badInARow = failed || permit.slow ? this.#badInARow + 1 : 0;
      if (this.#rules.slowCallDuration !== undefined) this.#recordSlowness(now, permit.slow);
    }
    return this.#trip(now, failed && !isExcused);
  }

  #recordSlowness(now: number, slow: boolean): void {
    this.#slowness ??= this.#newWindow();
    this.#slowness.record(now, slow);
  }

  #newWindow(): Window {
    const { window } = this.#rules;
    return window.kind === 'time' ? new TimeWindow(window.duration) : new CountWindow(window.size);
  }

  #trip(now: number, hasError: boolean): OpenReason | undefined {
    return tripReason(this.#rules.trip, {
      hasError,
      badInARow: this.#badInARow,
      failures: this.failures(now),
      slowness: this.slowness(now),
    });
  }
}
