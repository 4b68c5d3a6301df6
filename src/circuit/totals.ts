import { summarize, type ErrorSummary } from './error-summary.js';
import type { CircuitCounts } from './figures.js';
import type { Evidence, Permit, Verdict } from './permit.js';

/** What a circuit has counted since it exists, whatever became of its eras. */
export class Totals implements CircuitCounts {
  admitted = 0;
  refused = 0;
  success = 0;
  failure = 0;
  ignored = 0;
  slow = 0;
  late = 0;
  opened = 0;
  inFlight = 0;
  lastError: ErrorSummary | undefined = undefined;

  get counts(): CircuitCounts {
    const { admitted, refused, success, failure, ignored, slow, late, opened } = this;
    return { admitted, refused, success, failure, ignored, slow, late, opened };
  }

  countAdmitted(): void {
    this.admitted += 1;
    this.inFlight += 1;
  }

  countRefused(requests = 1): void {
    this.refused += requests;
  }

  countOpened(): void {
    this.opened += 1;
  }

  countEnded(permit: Permit, verdict: Verdict, { error }: Evidence): void {
    this.inFlight -= 1;
    this[verdict] += 1;
    if (permit.slow && permit.era?.name !== 'disabled') this.slow += 1;
    if (permit.late) this.late += 1;
    if (verdict === 'failure' && error !== undefined) this.lastError = summarize(error);
  }
}
