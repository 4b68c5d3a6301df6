import type { Circuit } from '../circuit/circuit.js';
import type { Clock } from '../circuit/clock.js';
import type { Refusal } from '../circuit/figures.js';
import type { Permit } from '../circuit/permit.js';
import type { ProbeTurn } from '../circuit/probes.js';
import {
  TimeoutError,
  withoutStack,
  type BreakerOpenError,
  type BulkheadFullError,
} from '../errors.js';
import type { EventQueue } from '../events.js';
import type { Faults } from '../faults.js';
import type { ProbeLease, SharedSeat } from '../shared-state.js';
import type { Adapter, RequestConfig } from './axios-like.js';
import type { Bulkhead } from './bulkhead.js';
import { cancellation, cancelled, isAborted } from './cancellation.js';
import { withDeadline } from './deadline.js';
import type { HeldLine } from './held-line.js';
import { askFallback, responseOf, tellFallback, withoutTransform } from './instead.js';
import type { Observer, Substitute, SubstituteAnswer } from './instead.js';
import { askToProbe, endLease, mustAsk } from './lease.js';
import { originOf, refuse, tellRefused, turnAway } from './refusals.js';
import { createObserver, settleError, settleFault, settleResponse } from './settle.js';
import { watchTransform } from './transform.js';
import type { Judge } from './verdict.js';

/** A circuit, and the places for requests that belong to it. */
export interface Compartment {
  readonly circuit: Circuit;
  /** Where there is a limit to what is in flight. */
  readonly bulkhead: Bulkhead | undefined;
  /** Those that wait for the circuit to close, once one does. */
  line?: HeldLine;
  /** How many requests may be sent yet that were refused, or ask other processes. */
  returning: number;
}

/** What a request asks of its breaker. */
export interface Gate {
  readonly name: string;
  readonly clock: Clock;
  readonly judge: Judge;
  readonly events: EventQueue;
  readonly faults: Faults;
  /** Whether nothing may be refused or aborted for the circuit's sake. */
  readonly observes: boolean;
  /** Among the processes that share what they learn, if this one does. */
  readonly seat: SharedSeat | undefined;
  /** Counted failures that the response interceptor is to answer, by their error or response. */
  readonly failed: WeakMap<object, Request[]> | undefined;
}

/** A request at the wire. */
export interface Request {
  readonly adapter: Adapter;
  readonly config: RequestConfig;
  /** The data as the caller gave it. */
  readonly data: unknown;
  readonly compartment: Compartment;
  readonly requestTimeout: number | undefined;
  readonly fallback: Substitute | undefined;
  /** Told the answer of the server's. */
  observer?: Observer | undefined;
  /** Ends the watch over `transformResponse`, for the observer. */
  unwatch?: (() => boolean) | undefined;
  /** While its exchange is under way. */
  permit: Permit | undefined;
  /** The right to probe that other processes know of. */
  lease?: ProbeLease | undefined;
  /** Whether its last exchange was counted as a failure. */
  hasFailed: boolean;
  /** Once its deadline has passed. */
  timeout?: TimeoutError;
  /** Why it was not sent, as of last. */
  refusal?: BreakerOpenError | BulkheadFullError;
  /** Whether that was told. */
  isRefused?: boolean;
  /** Whether it is one of those that its line let go. */
  isHeld?: boolean;
  /** Whether its caller has something else by now. */
  isOver?: boolean;
}

const thisTick = Promise.resolve();

/** Sends a request, or not, and judges what comes of it. */
export function dispatch(gate: Gate, request: Request): Promise<unknown> {
  const answer = enter(gate, request);
  // Axios attaches its transform in this tick: one later, the judges see what it made of the data,
  // and still come before every response interceptor. Not queueMicrotask: fake timers stop it.
  void thisTick.then(() => {
    void answer.then(
      (response) => settleResponse(gate, request, response),
      (error: unknown) => settleError(gate, request, error),
    );
  });
  return answer;
}

/** Refuses, or waits for a place if that must be; the permit is taken last. */
function enter(gate: Gate, request: Request): Promise<unknown> {
  const { circuit, bulkhead } = request.compartment;
  if (bulkhead === undefined || bulkhead.tryEnter()) return ask(gate, request);
  const refusal = circuit.refuse();
  if (refusal) return refused(gate, request, refuse(gate, request, refusal));
  return bulkhead.wait(cancellation(request.config)).then((waited) => {
    if (waited === 'place') return ask(gate, request);
    if (waited === 'opened') return enter(gate, request);
    circuit.countRefused(1);
    if (waited === 'full') return refused(gate, request, turnAway(gate, request));
    throw cancelled(request.config);
  });
}

/** With a place taken. */
function ask(gate: Gate, request: Request): Promise<unknown> {
  const asked = askToProbe(gate, request);
  if (asked === undefined) return send(gate, request);
  const { compartment } = request;
  compartment.returning += 1;
  return asked.then((turn) => {
    compartment.returning -= 1;
    return send(gate, request, turn);
  });
}

function send(gate: Gate, request: Request, turn?: ProbeTurn): Promise<unknown> {
  const answer = trySend(gate, request, turn);
  if (!('refused' in answer)) return answer;
  return refused(gate, request, refuse(gate, request, answer));
}

/** With a place taken: the exchange, or why there is none. */
export function trySend(
  gate: Gate,
  request: Request,
  turn?: ProbeTurn,
): Promise<unknown> | Refusal {
  const { circuit, bulkhead } = request.compartment;
  // The cooldown may have ended since no turn was due: that is for the next request to ask about.
  const permit = circuit.acquire(deadlineOf(request), turn, !mustAsk(gate));
  if (permit.refused) {
    bulkhead?.leave();
    endLease(request, false);
    return permit;
  }
  request.permit = permit;
  if (request.fallback !== undefined) {
    request.observer = createObserver(gate, request);
    request.unwatch = request.observer && watchTransform(request.config);
  }
  try {
    return callAdapter(gate, request, permit);
  } catch (error) {
    settleFault(request, error);
    return Promise.reject(error);
  }
}

function callAdapter(gate: Gate, request: Request, permit: Permit): Promise<unknown> {
  const { adapter, config, requestTimeout = Infinity } = request;
  const lease = gate.observes ? Infinity : (permit.lease ?? Infinity);
  const ms = Math.min(requestTimeout, lease);
  if (ms === Infinity) return Promise.resolve(adapter(config));
  const createError = () =>
    (request.timeout = withoutStack(() => new TimeoutError(originOf(gate, request), ms)));
  return withDeadline(adapter, config, { ms, clock: gate.clock, createError });
}

/** A refused request: what its fallback has for it, or the refusal. */
async function refused(
  gate: Gate,
  request: Request,
  refusal: BreakerOpenError | BulkheadFullError,
): Promise<unknown> {
  const { config, fallback } = request;
  request.refusal = refusal;
  if (fallback?.mayHold !== true) tellRefused(gate, request, refusal);
  if (fallback === undefined) throw refusal;
  const answer = await askWhileItMayReturn(gate, request, refusal);
  const wasHeld = answer !== undefined && 'ending' in answer;
  if (!wasHeld) tellRefused(gate, request, refusal);
  if (answer === undefined) throw request.refusal;
  if (!wasHeld || 'response' in answer.ending) tellFallback(gate, request, refusal);
  const response = responseOf(answer, config);
  if (!wasHeld) withoutTransform(config, (response as { data: unknown }).data);
  return response;
}

/** One that is held may be sent yet: it is not told as refused, and its circuit is kept. */
async function askWhileItMayReturn(
  gate: Gate,
  request: Request,
  refusal: BreakerOpenError | BulkheadFullError,
): Promise<SubstituteAnswer | undefined> {
  const { compartment, config } = request;
  compartment.returning += 1;
  try {
    return await askFallback(gate, request, refusal);
  } catch (thrown) {
    if (!isAborted(config)) tellRefused(gate, request, refusal);
    throw thrown;
  } finally {
    request.isOver = true;
    compartment.returning -= 1;
  }
}

/** How long a request may take by its own account; axios takes a timeout of 0 for none. */
export function deadlineOf({ requestTimeout, config }: Request): number | undefined {
  return limitOf(requestTimeout) ?? limitOf(config.timeout);
}

function limitOf(timeout: unknown): number | undefined {
  return typeof timeout === 'number' && timeout > 0 && timeout < Infinity ? timeout : undefined;
}
