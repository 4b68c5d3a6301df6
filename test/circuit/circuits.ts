import { Circuit } from '../../src/circuit/circuit.js';
import type { CircuitEvents, EventOutlet } from '../../src/circuit/events.js';
import { Permit, type Evidence, type Verdict } from '../../src/circuit/permit.js';
import type { CircuitRules } from '../../src/circuit/rules.js';
import { resolveOptions } from '../../src/resolve-options.js';
import type { CircuitBreakerOptions } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

type Told = { [Type in keyof CircuitEvents]: [Type, CircuitEvents[Type]] }[keyof CircuitEvents];

/** Keeps what it is told, in order. */
export class Recorder implements EventOutlet {
  readonly told: Told[] = [];
  /** What is wanted; all, unless told. */
  wanted: readonly (keyof CircuitEvents)[] | undefined;
  readonly #pending: Told[] = [];

  wants(type: keyof CircuitEvents): boolean {
    return this.wanted?.includes(type) ?? true;
  }

  push<Type extends keyof CircuitEvents>(type: Type, event: CircuitEvents[Type]): void {
    this.#pending.push([type, event] as Told);
  }

  flush(): void {
    this.told.push(...this.#pending.splice(0));
  }

  get names(): string[] {
    return this.told.map(([type]) => type);
  }

  /** The names of the events that tell of a change of state. */
  get transitions(): string[] {
    return this.names.filter((name) => ['OPEN', 'WOULD_OPEN', 'HALF_OPEN', 'CLOSE'].includes(name));
  }

  last<Type extends keyof CircuitEvents>(type: Type): CircuitEvents[Type] {
    const found = this.told.findLast(([name]) => name === type);
    if (found === undefined) throw new Error(`${type} was not told`);
    return found[1] as CircuitEvents[Type];
  }
}

/** A circuit with rules as a breaker with these options has them, on a clock that stands still. */
export class Bench {
  readonly clock = new ManualClock(1_000);
  readonly events = new Recorder();
  readonly circuit: Circuit;

  constructor(options: CircuitBreakerOptions = {}, rules: Partial<CircuitRules> = {}) {
    const resolved = resolveOptions({ cooldownJitter: 0, ...options }).rules;
    this.circuit = new Circuit('default', { ...resolved, ...rules }, this.clock, this.events);
  }

  get state(): string {
    return this.circuit.figures().state;
  }

  get counts() {
    return this.circuit.figures().counts;
  }

  /** A permit that must be granted. */
  admit(deadline?: number): Permit {
    const answer = this.circuit.acquire(deadline);
    if (answer.refused) throw new Error(`Refused while ${answer.state}`);
    return answer;
  }

  refusal(): Exclude<ReturnType<Circuit['acquire']>, Permit> {
    const answer = this.circuit.acquire();
    if (!answer.refused) throw new Error('Admitted');
    return answer;
  }

  /** One call that takes `ms` and ends with each verdict in turn. */
  call(verdicts: Verdict | Verdict[], ms = 0, evidence?: Evidence): void {
    for (const verdict of [verdicts].flat()) {
      const permit = this.admit();
      this.clock.advance(ms);
      permit.settle(verdict, evidence);
    }
  }

  /** Opens a closed circuit by its `consecutiveFailures` or first-error rule. */
  trip(): void {
    for (let calls = 0; this.state === 'closed'; calls += 1) {
      if (calls > 100) throw new Error('Does not open');
      this.call('failure');
    }
  }
}
