export { CircuitBreaker, type BreakerTarget, type CircuitSnapshot } from './circuit-breaker.js';
export { CircuitBreakerWithEmitter } from './circuit-breaker-with-emitter.js';
export {
  BreakerOpenError,
  BulkheadFullError,
  TimeoutError,
  isBreakerOpenError,
  isBulkheadFullError,
  isTimeoutError,
  type ErrorOrigin,
} from './errors.js';
export { isFailure } from './http/is-failure.js';
export { readServerWait } from './http/server-wait/read-server-wait.js';
export {
  awsRetryAfter,
  discordRetryAfter,
  googleRetryInfo,
  matrixRetryAfter,
  telegramRetryAfter,
} from './http/server-wait/body-waits.js';
export type {
  CircuitBreakerOptions,
  HalfOpenOptions,
  RateLimitOptions,
  RequestOptions,
} from './options.js';
export type { BreakerEventName, BreakerEvents, ExchangeEvent, RefuseEvent } from './events.js';
export type { CloseEvent, HalfOpenEvent, OpenEvent } from './circuit/events.js';
export type { CircuitCounts, CircuitFigures, Refusal } from './circuit/figures.js';
export type { CircuitState, CloseReason, OpenReason } from './circuit/state.js';
export type { Clock } from './circuit/clock.js';
export type { ErrorSummary } from './circuit/error-summary.js';
export type { FaultHandler } from './faults.js';
export type { BreakerListener } from './listeners.js';
export type { AxiosLike, AxiosStaticLike } from './http/axios-like.js';
export type { ErrorHandler, ResponseHandler } from './http/verdict.js';
export type { WaitHook } from './http/rate-limits.js';
export type {
  ServerResponse,
  ServerWait,
  ServerWaitOptions,
} from './http/server-wait/read-server-wait.js';
export type { WaitUnit } from './http/server-wait/values.js';
