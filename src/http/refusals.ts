import type { AxiosRequestConfig } from 'axios';
import type { Refusal } from '../circuit/figures.js';
import { BreakerOpenError, BulkheadFullError, withoutStack, type ErrorOrigin } from '../errors.js';
import type { Gate, Request } from './dispatch.js';

export function refuse(gate: Gate, request: Request, refusal: Refusal): BreakerOpenError {
  return withoutStack(() => new BreakerOpenError(originOf(gate, request), refusal));
}

export function turnAway(gate: Gate, request: Request): BulkheadFullError {
  return withoutStack(() => new BulkheadFullError(originOf(gate, request)));
}

/** Tells of a refusal, once for each request. */
export function tellRefused(
  gate: Gate,
  request: Request,
  error: BreakerOpenError | BulkheadFullError,
): void {
  if (request.isRefused === true) return;
  request.isRefused = true;
  if (!gate.events.wants('REFUSE')) return;
  gate.events.push('REFUSE', { key: error.key, error });
  gate.events.flush();
}

export function originOf(gate: Gate, { compartment, config }: Request): ErrorOrigin {
  return {
    breaker: gate.name,
    key: compartment.circuit.key,
    config: config as AxiosRequestConfig,
  };
}
