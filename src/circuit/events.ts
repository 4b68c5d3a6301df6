import type { CloseReason, OpenReason } from './state.js';

/** What OPEN and WOULD_OPEN tell. */
export interface OpenEvent {
  readonly key: string;
  readonly reason: OpenReason;
  /** The error that opened the circuit, the caller's own; `undefined` where no error did. */
  readonly error: unknown;
  /** For how many ms requests will be refused; `Infinity` where only a command ends it. */
  readonly cooldownMs: number;
  /** The header that stated the wait, or `'rateLimit.wait'`; `undefined` where the server stated none. */
  readonly from: string | undefined;
}

/** What HALF_OPEN tells. */
export interface HalfOpenEvent {
  readonly key: string;
}

/** What CLOSE tells. */
export interface CloseEvent {
  readonly key: string;
  readonly reason: CloseReason;
  /** Milliseconds since the circuit was last closed. */
  readonly openForMs: number;
}

/** What SUCCESS, FAILURE and IGNORE tell of one exchange. */
export interface ExchangeEvent {
  readonly key: string;
  readonly durationMs: number;
  /** Whether it took `slowCallDuration` or longer. */
  readonly slow: boolean;
  readonly probe: boolean;
  /** Whether it began in an era that is over; such a result moves nothing but totals. */
  readonly late: boolean;
  /** The caller's own error, where the exchange was rejected. */
  readonly error: unknown;
  /** The caller's own response, where the exchange was fulfilled. */
  readonly response: unknown;
}

/** The events of a circuit by name. */
export interface CircuitEvents {
  OPEN: OpenEvent;
  WOULD_OPEN: OpenEvent;
  HALF_OPEN: HalfOpenEvent;
  CLOSE: CloseEvent;
  SUCCESS: ExchangeEvent;
  FAILURE: ExchangeEvent;
  IGNORE: ExchangeEvent;
}

/** Takes a circuit's events: queued while the circuit changes, told once it is done. */
export interface EventOutlet {
  /** Whether anybody listens: what happens at every exchange is not even described otherwise. */
  wants(type: keyof CircuitEvents): boolean;
  push<Type extends keyof CircuitEvents>(type: Type, event: CircuitEvents[Type]): void;
  flush(): void;
}
