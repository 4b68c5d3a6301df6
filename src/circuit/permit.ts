import type { Recovery, State } from './state.js';

/** What an exchange says about the server. */
export type Verdict = 'success' | 'failure' | 'ignored';

/** An answer that says: not so often. */
export interface RateLimit {
  /** For how many ms the server wants not to be asked; `undefined` where it does not say. */
  readonly waitMs: number | undefined;
  /** Where it says so. */
  readonly from: string | undefined;
  readonly recovery: Recovery;
}

/** What a verdict rests on; handed through to events, never kept. */
export interface Evidence {
  readonly error?: unknown;
  readonly response?: unknown;
  /** A failure that `errorHandler` did not accept as one: no first error. */
  readonly isExcused?: boolean;
  /** Opens at once, whatever the detectors say. */
  readonly rateLimit?: RateLimit | undefined;
}

/** Who handed a permit out and takes it back. */
export interface PermitIssuer {
  settle(permit: Permit, verdict: Verdict, evidence: Evidence): void;
}

/** The right to do one exchange. Settled exactly once; settling again does nothing. */
export class Permit {
  readonly refused = false;
  readonly startedAt: number;
  /** The era in which it was handed out; `undefined` where only totals are to count. */
  readonly era: State | undefined;
  /** How long a probe may take, in ms; `undefined` for a permit that is no probe. */
  readonly lease: number | undefined;
  settled = false;
  durationMs = 0;
  /** Whether it ended in another era than it began in. */
  late = false;
  slow = false;
  /** Whether it was counted as slow while in flight. */
  overdue = false;
  /** Its neighbours among the permits in flight. */
  previous: Permit | undefined = undefined;
  next: Permit | undefined = undefined;
  readonly #issuer: PermitIssuer;

  constructor(issuer: PermitIssuer, startedAt: number, era: State | undefined, lease?: number) {
    this.#issuer = issuer;
    this.startedAt = startedAt;
    this.era = era;
    this.lease = lease;
  }

  get probe(): boolean {
    return this.era?.name === 'half-open';
  }

  get leaseEnd(): number {
    return this.startedAt + (this.lease ?? Infinity);
  }

  settle(verdict: Verdict, evidence: Evidence = {}): void {
    if (!this.settled) this.#issuer.settle(this, verdict, evidence);
  }
}
