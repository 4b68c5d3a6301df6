/**
 * A whole program that sends a million calls through one circuit, in all its states, and prints how
 * many bytes were in use after a hundred thousand of them, and at the end. Run it with --expose-gc.
 */
import { Circuit } from '../../src/circuit/circuit.js';
import type { Permit } from '../../src/circuit/permit.js';
import { TimeWindow } from '../../src/circuit/time-window.js';
import { EventQueue } from '../../src/events.js';
import { resolveOptions } from '../../src/resolve-options.js';

let now = 0;
const clock = { now: () => now, setTimeout: () => undefined, clearTimeout: () => undefined };
const { rules } = resolveOptions({ slowCallDuration: 100, cooldown: 100, maxCooldown: 400 });
const circuit = new Circuit('default', rules, clock, new EventQueue());
// Never settled, as the call of a server that hangs for ever.
const hung = circuit.acquire();
const inFlight: Permit[] = [];
/** Of a circuit that stays closed: each call comes in another bucket. */
const window = new TimeWindow(1_000);

/** 20 bad seconds in every 100. */
const isBad = () => now % 100_000 < 20_000;

function end(permit: Permit | undefined, call: number): void {
  if (isBad()) {
    const response = { status: 503, data: 'x'.repeat(1_000) + String(call) };
    permit?.settle('failure', { error: Object.assign(new Error(`call ${call}`), { response }) });
  } else {
    permit?.settle(call % 50 === 0 ? 'ignored' : 'success', { response: { data: call } });
  }
}

function run(from: number, to: number): number {
  for (let call = from; call < to; call += 1) {
    now += 5;
    window.record(call * 100, false);
    const answer = circuit.acquire();
    if (!answer.refused) inFlight.push(answer);
    // The latest ends before the ones that were sent before it, which take 90 ms, or 130 when it is bad.
    if (call % 2 === 0) end(inFlight.pop(), call);
    else if (inFlight.length > (isBad() ? 12 : 8)) end(inFlight.shift(), call);
  }
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const early = run(0, 100_000);
const late = run(100_000, 1_000_000);
const { counts } = circuit.figures();
const { calls } = window.figures(99_999_900);
console.log(JSON.stringify({ early, late, counts, calls, isHung: !hung.refused }));
