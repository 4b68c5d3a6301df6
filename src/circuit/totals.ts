import { summarize, type ErrorSummary } from './error-summary.js';
import type { CircuitCounts } from './figures.js';
import type { Evidence, Permit, Verdict } from './permit.js';

/** What a circuit has counted since it exists, whatever became of its eras. */
export class Totals {
  readonly #counts = {
    admitted: 0,
    refused: 0,
    success: 0,
    failure: 0,
    ignored: 0,
    slow: 0,
    late: 0,
    opened: 0,
  };
  #inFlight = 0;
  #lastError: ErrorSummary | undefined;

  get counts(): CircuitCounts {
    return { ...this.#counts };
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get lastError(): ErrorSummary | undefined {
    return this.#lastError;
  }

  countAdmitted(): void {
    this.#counts.admitted += 1;
    this.#inFlight += 1;
  }

  countRefused(requests = 1): void {
    this.#counts.refused += requests;
  }

  countOpened(): void {
    this.#counts.opened += 1;
  }

  countEnded(permit: Permit, verdict: Verdict, { error }: Evidence): void {
    this.#inFlight -= 1;
    this.#counts[verdict] += 1;
    if (permit.slow && permit.era?.name !== 'disabled') this.#counts.slow += 1;
    if (permit.late) this.#counts.late += 1;
    if (verdict === 'failure' && error !== undefined) this.#lastError = summarize(error);
  }
}
