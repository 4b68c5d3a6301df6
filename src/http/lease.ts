import type { ProbeTurn } from '../circuit/probes.js';
import { deadlineOf, type Gate, type Request } from './dispatch.js';

/**
 * Where other processes have a say in it and a probe is due: the turn to send it, once they were asked.
 * Meanwhile its slot is kept, and other requests are refused.
 */
export function askToProbe(
  { seat, observes }: Gate,
  request: Request,
): Promise<ProbeTurn> | undefined {
  if (seat === undefined || observes) return undefined;
  const { circuit } = request.compartment;
  const turn = circuit.takeTurn(deadlineOf(request));
  return (
    turn &&
    seat.lease(circuit.key, turn.lease).then((answer) => {
      turn.isGranted = answer !== 'denied';
      if (typeof answer === 'object') request.lease = answer;
      return turn;
    })
  );
}

/** `counts`: whether the circuit's state is what came of the probe. */
export function endLease(request: Request, counts: boolean): void {
  request.lease?.end(counts);
  request.lease = undefined;
}
