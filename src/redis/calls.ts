import { randomUUID } from 'node:crypto';
import { Circuit } from '../circuit/circuit.js';
import type { Clock } from '../circuit/clock.js';
import type { EventOutlet } from '../circuit/events.js';
import { resolveOptions } from '../resolve-options.js';
import { readAnswer, type Answer } from './answer.js';
import type { Commands } from './commands.js';
import type { Names } from './names.js';
import { within } from './within.js';

/** How long Redis may take for an answer, in ms. */
const callTimeout = 500;

/** Redis has a breaker of its own: while it is in trouble it is asked once in a while. */
const { rules } = resolveOptions({ consecutiveFailures: 3, cooldown: 1_000, maxCooldown: 10_000 });

const nobody: EventOutlet = {
  wants: () => false,
  push: () => undefined,
  flush: () => undefined,
};

/** Asks Redis, within a time, for as long as it answers. */
export class Calls {
  readonly #commands: Commands;
  readonly #names: Names;
  readonly #node: string;
  readonly #clock: Clock;
  readonly #circuit: Circuit;
  /** Told each answer before whoever asked. */
  readonly #onAnswer: (answer: Answer) => void;
  #last: { readonly answer: Answer; readonly at: number } | undefined;

  constructor(
    commands: Commands,
    names: Names,
    { node, clock, onAnswer }: { node: string; clock: Clock; onAnswer: (answer: Answer) => void },
  ) {
    this.#commands = commands;
    this.#names = names;
    this.#node = node;
    this.#clock = clock;
    this.#circuit = new Circuit('redis', rules, clock, nobody);
    this.#onAnswer = onAnswer;
  }

  /** Whether it is worth while to ask now. */
  get isAvailable(): boolean {
    return this.#last !== undefined && this.#circuit.figures().state === 'closed';
  }

  /** Whether it can say to Redis when what it asks will be too late. */
  get knowsTime(): boolean {
    return this.#last !== undefined;
  }

  /**
   * Has the script do something; `id`: of the circuit that it is about.
   *
   * @throws Error, as a promise, where Redis did not answer in time, was not asked, or says no.
   */
  async ask(operation: string, id: string | undefined, ...args: unknown[]): Promise<Answer> {
    const permit = this.#circuit.acquire(callTimeout);
    if (permit.refused) throw new Error('Redis is in trouble');
    try {
      const keys = this.#names.keys(id);
      const about = id === undefined ? args : [id, ...args];
      const given = [...this.#common(operation), ...about.map(String)];
      const reply = await within(this.#clock, callTimeout, this.#commands.run(keys, given));
      if (reply === undefined) throw new Error(`Redis did not answer within ${callTimeout} ms`);
      const answer = readAnswer(reply);
      permit.settle('success');
      this.#last = { answer, at: this.#clock.now() };
      this.#onAnswer(answer);
      return answer;
    } catch (error) {
      permit.settle('failure', { error });
      throw error;
    }
  }

  /** What a client sends only after it was cut off for a while must not be done any more. */
  #common(operation: string): string[] {
    const { channel } = this.#names;
    const { answer, at } = this.#last ?? {};
    const deadline =
      answer && at !== undefined
        ? String(answer.now + this.#clock.now() - at + 2 * callTimeout)
        : '';
    return [operation, channel, this.#node, answer?.incarnation ?? '', deadline, randomUUID()];
  }
}
