import type { ErrorSummary } from '../circuit/error-summary.js';
import type { CircuitCounts } from '../circuit/figures.js';
import type { CircuitState, OpenReason } from '../circuit/state.js';
import type { CircuitSnapshot } from '../snapshot.js';
import type { CircuitRecord } from './circuit-record.js';
import type { Counted } from './timeline.js';

/** What the JSON snapshot tells of one circuit. */
export interface CircuitStatus {
  /** The name of the breaker, with a number where several have the same. */
  readonly breaker: string;
  /** `null` for a breaker that has no circuit yet. */
  readonly key: string | null;
  readonly state: CircuitState;
  /** Whether requests are refused: a breaker in `observe` mode can be open and refuses nothing. */
  readonly refuses: boolean;
  /** The share of failed calls in the current window, 0–1. */
  readonly failureRate: number;
  /** The share of slow calls in the current window, 0–1. */
  readonly slowRate: number;
  readonly inFlight: number;
  readonly queued: number;
  /** Milliseconds until the next request may be sent; `null` where only a command ends it. */
  readonly retryAfterMs: number | null;
  readonly openReason: OpenReason | null;
  /** The message without queries and credentials. */
  readonly lastError: {
    readonly message: string;
    readonly code: string | null;
    readonly status: number | null;
  } | null;
  /** How long the exchanges of the last minute took, within 5 %; `null` where there were none. */
  readonly latency: { readonly p50Ms: number; readonly p95Ms: number } | null;
  /** What happened in the last ten minutes, at most as long as the page has been watching. */
  readonly recent: Readonly<Record<Counted, number>>;
  /** What happened since the circuit exists. */
  readonly counts: CircuitCounts;
}

/** One circuit, as the page gets it: nothing in it changes by time alone. */
export interface Row extends Omit<CircuitStatus, 'retryAfterMs'> {
  readonly id: number;
  /** When it came into its state, in ms of the server's clock. */
  readonly since: number;
  /** When the next request may be sent, in ms of that clock; `null` where nothing but a command says. */
  readonly retryAt: number | null;
}

/** What is known of a circuit as of `now`. */
export interface Sighting {
  readonly now: number;
  readonly breaker: string;
  readonly record: CircuitRecord;
  readonly snapshot: CircuitSnapshot;
  readonly refuses: boolean;
}

export function statusOf(sighting: Sighting): CircuitStatus {
  return { ...lasting(sighting), retryAfterMs: finite(sighting.snapshot.retryAfterMs) };
}

export function rowOf(sighting: Sighting): Row {
  const { now, record, snapshot } = sighting;
  const wait = finite(snapshot.retryAfterMs);
  return {
    ...lasting(sighting),
    id: record.id,
    since: Math.round(record.since),
    // To a tenth of a second, or it would seem to change each time it is computed.
    retryAt: wait === null || wait === 0 ? null : Math.round((now + wait) / 100) * 100,
  };
}

function lasting({
  now,
  breaker,
  record,
  snapshot,
  refuses,
}: Sighting): Omit<CircuitStatus, 'retryAfterMs'> {
  const { state, failureRate, slowRate, inFlight, queued, openReason, lastError, counts } =
    snapshot;
  const [p50Ms, p95Ms] = record.latency.quantiles(now, [0.5, 0.95]);
  return {
    breaker,
    key: record.key === '' ? null : record.key,
    state,
    refuses,
    failureRate: rounded(failureRate),
    slowRate: rounded(slowRate),
    inFlight,
    queued,
    openReason: openReason ?? null,
    lastError: lastError === undefined ? null : errorOf(lastError),
    latency:
      p50Ms === undefined || p95Ms === undefined
        ? null
        : { p50Ms: rounded(p50Ms), p95Ms: rounded(p95Ms) },
    recent: record.timeline.totals(now),
    counts,
  };
}

function errorOf({ message, code, status }: ErrorSummary): CircuitStatus['lastError'] {
  return { message, code: code ?? null, status: status ?? null };
}

/** JSON knows no other numbers. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
