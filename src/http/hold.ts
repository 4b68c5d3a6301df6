import { cancellation, cancelled, isAborted } from './cancellation.js';
import { trySend, type Gate, type Request } from './dispatch.js';
import { endingOf, type Ending } from './ending.js';
import { HeldLine, type HoldRules } from './held-line.js';
import { isRateLimitShaped } from './is-failure.js';
import { askToProbe } from './lease.js';
import { refuse, tellRefused } from './refusals.js';
import { forget, settleError, settleResponse } from './settle.js';
import { destroyStream, isStream } from './stream.js';
import { transformed } from './transform.js';

interface ResponseLike {
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly data?: unknown;
}

/**
 * Holds a refused request until its circuit admits it, and sends it then. Gives how that ended; nothing
 * where it waited too long, or too many wait. It is counted when it is sent, or refused after all.
 */
export async function hold(
  gate: Gate,
  request: Request,
  { maxWaiting, maxWait }: HoldRules,
): Promise<Ending | undefined> {
  const { compartment } = request;
  const line = (compartment.line ??= new HeldLine(gate.clock));
  const end = gate.clock.now() + maxWait;
  const ticket = line.takeTicket();
  request.isHeld = true;
  // What is sent bears marks of ours, so the refusal makes its copy of the config before.
  Reflect.get(request.refusal ?? {}, 'config');
  compartment.circuit.countRefused(-1);
  // Who comes back has its room already.
  for (let room = maxWaiting; ; room = Infinity) {
    if (isAborted(request.config)) {
      // What there was to hear while it asked is for the next one.
      line.release();
      throw cancelHeld(request);
    }
    if (gate.events.isClosed) return endingOf(sendPast(request));
    const left = () => end - gate.clock.now();
    const rules = { maxWaiting: room, maxWait: left() };
    const turn = await line.wait(ticket, rules, cancellation(request.config));
    if (turn === 'cancelled') throw cancelHeld(request);
    if (turn !== 'turn') {
      refuseAfterAll(gate, request);
      return undefined;
    }
    const ending = await sendHeld(gate, request, line, left());
    if (ending) return ending;
  }
}

/** Past the breaker, which is detached. */
function sendPast({ adapter, config }: Request): Promise<unknown> {
  return new Promise((resolve) => resolve(adapter(config)));
}

/** Asks the circuit again; nothing where the request has to wait further. */
async function sendHeld(
  gate: Gate,
  request: Request,
  line: HeldLine,
  ms: number,
): Promise<Ending | undefined> {
  const { config } = request;
  const { bulkhead } = request.compartment;
  if (request.isOver === true || gate.events.isClosed) {
    line.leaves();
    return request.isOver === true ? { error: request.refusal } : endingOf(sendPast(request));
  }
  if (bulkhead?.tryEnter() === false) {
    const waited = await bulkhead.wait(cancellation(config), ms);
    if (waited === 'cancelled') {
      line.leaves();
      throw cancelHeld(request);
    }
    if (waited !== 'place') {
      line.comesBack();
      return undefined;
    }
  }
  const asked = askToProbe(gate, request);
  const turn = asked && (await asked);
  const answer = trySend(gate, request, turn);
  if ('refused' in answer) {
    request.compartment.circuit.countRefused(-1);
    line.comesBack();
    return undefined;
  }
  line.sends();
  const ending = await endingOf(answer);
  return isLimitedAgain(gate, request, ending) ? undefined : ending;
}

/** An answer that says "not so often" says that the request was not done: it is settled here, and dropped. */
function isLimitedAgain(gate: Gate, request: Request, ending: Ending): boolean {
  const { config, data } = request;
  const response = responseOf(ending);
  if (!looksLimited(response) || [config['data'], data].flat().some(isStream)) return false;
  const raw = response.data;
  // What judges it must see what it would see of any other answer.
  Reflect.set(response, 'data', transformed(config, response));
  const outcome = 'error' in ending ? ending.error : ending.response;
  const settle = 'error' in ending ? settleError : settleResponse;
  const judgement = settle(gate, request, outcome);
  Reflect.set(response, 'data', raw);
  if (judgement?.verdict !== 'failure' || !judgement.rateLimit) return false;
  forget(gate, outcome, request);
  destroyStream(raw);
  return true;
}

/** Only of such an answer is the verdict asked before axios has transformed it. */
function looksLimited({ status, headers }: ResponseLike): boolean {
  return status === 429 || (Number(status) >= 400 && isRateLimitShaped(headers));
}

function responseOf(ending: Ending): ResponseLike {
  const { response } =
    'error' in ending ? (Object(ending.error) as { response?: unknown }) : ending;
  return Object(response) as ResponseLike;
}

function cancelHeld({ compartment, config }: Request): unknown {
  compartment.circuit.countRefused(1);
  return cancelled(config);
}

function refuseAfterAll(gate: Gate, request: Request): void {
  const { circuit } = request.compartment;
  const refusal = circuit.refuse();
  if (refusal) request.refusal = refuse(gate, request, refusal);
  else circuit.countRefused(1);
  if (request.refusal) tellRefused(gate, request, request.refusal);
}
