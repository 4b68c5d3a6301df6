import type { AxiosError, AxiosRequestConfig, AxiosResponse } from 'axios';
import type { Evidence, Permit, Verdict } from '../circuit/permit.js';
import { catchRejection } from '../faults.js';
import { hasTimedOut, isCancel } from './cancellation.js';
import type { Gate, Request } from './dispatch.js';
import type { Observer } from './instead.js';
import { endLease } from './lease.js';
import type { Judgement } from './verdict.js';

/** Judges what an exchange was fulfilled with, and gives back what the request held. */
export function settleResponse(
  gate: Gate,
  request: Request,
  response: unknown,
): Judgement | undefined {
  const { permit } = request;
  if (permit === undefined) return undefined;
  const isTransformed = request.unwatch?.() === true;
  const judgement = gate.judge.judgeResponse(response);
  const { verdict, error, rateLimit } = judgement;
  if (verdict === 'failure') remember(gate, response as object, request);
  if (verdict === 'success') tellObserver(gate, request, response, isTransformed);
  settle(request, permit, verdict, { response, error, rateLimit });
  return judgement;
}

/** The same for what an exchange was rejected with. */
export function settleError(gate: Gate, request: Request, error: unknown): Judgement | undefined {
  const { config, permit, timeout } = request;
  if (permit === undefined) return undefined;
  const isTransformed = request.unwatch?.() === true;
  const judgement = gate.judge.judgeError(error, config);
  const { verdict, rateLimit } = judgement;
  const isOurs = timeout !== undefined && error === timeout;
  const isExcused = verdict !== 'failure';
  const hasFailed = isOurs || verdict === 'failure';
  if (hasFailed && isObject(error)) remember(gate, error, request);
  if (verdict === 'success') {
    tellObserver(gate, request, (error as AxiosError).response, isTransformed);
  }
  settle(request, permit, isOurs ? 'failure' : verdict, { error, isExcused, rateLimit });
  return judgement;
}

/** What an adapter throws at once says nothing about the server. */
export function settleFault(request: Request, error: unknown): void {
  request.unwatch?.();
  if (request.permit) settle(request, request.permit, 'ignored', { error });
}

/** Each exchange once: a request that was held may have another. */
function settle(request: Request, permit: Permit, verdict: Verdict, evidence: Evidence): void {
  const { bulkhead, line } = request.compartment;
  request.permit = undefined;
  request.hasFailed = verdict === 'failure';
  bulkhead?.leave();
  permit.settle(verdict, evidence);
  endLease(request, permit.probe && !permit.late);
  if (request.isHeld === true) line?.ended(verdict, evidence.rateLimit !== undefined);
  else line?.release();
}

/** What a fallback makes of the answer; asked before the adapter, which may add headers of its own. */
export function createObserver(
  { clock, faults }: Gate,
  { fallback, config }: Request,
): Observer | undefined {
  try {
    return fallback?.observe?.({ config: config as AxiosRequestConfig, clock });
  } catch (error) {
    faults.report('fallback', error);
    return undefined;
  }
}

function tellObserver(
  { faults }: Gate,
  { observer }: Request,
  response: unknown,
  isTransformed: boolean,
): void {
  if (observer === undefined) return;
  const report = (error: unknown) => faults.report('fallback', error);
  try {
    catchRejection(observer(response as AxiosResponse, isTransformed), report);
  } catch (error) {
    report(error);
  }
}

/** Several requests may fail with the same object; the response interceptor comes in the same order. */
function remember({ failed }: Gate, outcome: object, request: Request): void {
  const trace = traceOf(outcome, request);
  const requests = failed?.get(trace);
  if (requests) requests.push(request);
  else failed?.set(trace, [request]);
}

/** What was counted as a failure is not for the caller after all. */
export function forget({ failed }: Gate, outcome: unknown, request: Request): void {
  request.hasFailed = false;
  const requests = failed?.get(traceOf(outcome as object, request));
  requests?.splice(requests.indexOf(request), 1);
}

/** Takes the request that failed with what has come to the response interceptor. */
export function takeFailed({ failed }: Gate, outcome: unknown): Request | undefined {
  const { config } = (isCancel(outcome) ? outcome : {}) as { readonly config: object };
  const requests = failed?.get(outcome as object) ?? failed?.get(config);
  // Each once: a retry plugin brings the same error along again from every nested request.
  return requests?.shift();
}

/**
 * By what an outcome is known again. After the deadline of a signal axios rejects with a cancellation of
 * its own instead, which has the config.
 */
function traceOf(outcome: object, { config }: Request): object {
  return hasTimedOut(config.signal) && !isCancel(outcome) ? config : outcome;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
