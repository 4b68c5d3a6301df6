export { CircuitBreaker, type BreakerTarget } from './circuit-breaker.js';
export type { Breaker } from './breaker.js';
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
export { degrade } from './fallback/degrade.js';
export { fallbackResponse } from './fallback/fallback.js';
export { firstOf } from './fallback/first-of.js';
export { holdUntilClosed, type HoldOptions } from './fallback/hold-until-closed.js';
export {
  queueForRetry,
  type AddToQueue,
  type QueueForRetryOptions,
} from './fallback/queue-for-retry.js';
export type { QueuedRequest } from './fallback/queued-request.js';
export { staticFallback } from './fallback/static-fallback.js';
export {
  FunctionBreaker,
  type CallEvent,
  type FunctionBreakerEvents,
  type FunctionBreakerListener,
} from './function-breaker.js';
export type { CallContext, FunctionBreakerOptions } from './function-options.js';
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
export type {
  BreakerEventName,
  BreakerEvents,
  ExchangeEvent,
  FallbackEvent,
  RefuseEvent,
} from './events.js';
export type {
  Fallback,
  FallbackAnswer,
  FallbackFunction,
  FallbackKind,
  FallbackObserver,
  FallbackRequest,
  FallbackResponse,
  FallbackResponseInit,
  HeldAnswer,
  ObservedRequest,
  OwnAnswer,
} from './fallback/fallback.js';
export type { CloseEvent, HalfOpenEvent, OpenEvent } from './circuit/events.js';
export type { CircuitCounts, Refusal } from './circuit/figures.js';
export type { CircuitSnapshot } from './snapshot.js';
export type { CircuitState, CloseReason, OpenReason } from './circuit/state.js';
export type { Clock } from './circuit/clock.js';
export type { ErrorSummary } from './circuit/error-summary.js';
export type { FaultHandler } from './faults.js';
export type { Fleet, SharedState } from './shared-state.js';
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
export type { KeyFunction } from './http/key.js';
