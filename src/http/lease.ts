import type { ProbeTurn } from '../circuit/probes.js';
import { deadlineOf, type Gate, type Request } from './dispatch.js';

/**
 * Where other processes have a say in it and a probe is due: the turn to send it, once they were asked.
 * Meanwhile its slot is kept, and other requests are refused.
 */
export function askToProbe(gate: Gate, request: Request): Promise<ProbeTurn> | undefined {
  const { seat } = gate;
  if (seat === undefined || !mustAsk(gate)) return undefined;
  const { circuit } = request.compartment;
  const turn = circuit.takeTurn(deadlineOf(request));
  if (turn === undefined) return undefined;
  return seat.lease(circuit.key, turn.lease).then(
    (answer) => {
      turn.isGranted = answer !== 'denied';
      if (typeof answer === 'object') request.lease = answer;
      return turn;
    },
    // It should not; but a slot that is kept must come back, or nobody ever probes.
    () => turn,
  );
}

/** Whether other processes have a say in who probes. */
export function mustAsk({ seat, observes }: Gate): boolean {
  return seat !== undefined && !observes;
}

/** `counts`: whether the circuit's state is what came of the probe. */
export function endLease(request: Request, counts: boolean): void {
  if (request.lease === undefined) return;
  request.lease.end(counts);
  request.lease = undefined;
}
