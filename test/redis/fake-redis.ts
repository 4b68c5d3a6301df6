import type { Answer } from '../../src/redis/answer.js';
import type { Commands } from '../../src/redis/commands.js';
import type { OwnOpening } from '../../src/circuit/learned.js';
import type { CircuitState } from '../../src/circuit/state.js';
import type { EventSink } from '../../src/events.js';
import type { SharedMember } from '../../src/shared-state.js';
import { WatchedClock } from '../support/watched-clock.js';

/** Redis tells of a circuit: its id, state, epoch, how long, how it is left, and which of a row it is. */
export type Told = readonly [string, 'open' | 'closed', number, number, 'clock' | 'probe', number];

/** What an answer says other than usual; lists as Redis writes them. */
export type Reply = Partial<Omit<Answer, 'circuits' | 'fleet'>> & {
  readonly circuits?: readonly Told[];
  readonly fleet?: readonly (readonly [string, 'open' | 'close', number])[];
};

export interface Asked {
  readonly operation: string;
  readonly keys: readonly string[];
  /** The node, the incarnation and the deadline that were told. */
  readonly node: string;
  readonly incarnation: string;
  readonly deadline: string;
  /** What is of this operation alone. */
  readonly args: readonly string[];
  readonly answer: (reply?: Reply) => Promise<void>;
  readonly fail: (error?: Error) => Promise<void>;
}

/** Redis in the hands of the test. */
export class FakeRedis implements Commands {
  readonly asked: Asked[] = [];
  /** What it answers at once; where it returns nothing the test answers. */
  reply: (asked: Asked) => Reply | undefined = () => ({});
  usual: Reply = { incarnation: 'first', epoch: 1, now: 1_000_000 };
  publish: (message: string) => void = () => undefined;
  channel: string | undefined;

  run(keys: string[], args: string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const [operation = '', , node = '', incarnation = '', deadline = ''] = args;
      const answer = async (reply: Reply = {}) => {
        resolve(JSON.stringify({ status: 'ok', ...this.usual, ...reply }));
        await settled();
      };
      const fail = async (error = new Error('ECONNRESET')) => {
        reject(error);
        await settled();
      };
      const own = { operation, keys, node, incarnation, deadline, args: args.slice(6) };
      const asked = { ...own, answer, fail };
      this.asked.push(asked);
      const reply = this.reply(asked);
      if (reply) void answer(reply);
    });
  }

  listen(channel: string, onMessage: (message: string) => void): () => void {
    this.channel = channel;
    this.publish = onMessage;
    return () => {
      this.channel = undefined;
    };
  }

  /** What was asked of one kind. */
  of(operation: string): Asked[] {
    return this.asked.filter((asked) => asked.operation === operation);
  }

  get last(): Asked {
    const last = this.asked.at(-1);
    if (last === undefined) throw new Error('Nothing was asked');
    return last;
  }
}

/** A breaker with the state that the test gives it. */
export class FakeMember implements SharedMember {
  readonly name = 'orders';
  readonly clock = new WatchedClock(5_000);
  observes = false;
  maxProbes = 1;
  readonly maxWait = 60_000;
  readonly states = new Map<string, CircuitState>([['default', 'closed']]);
  readonly openings = new Map<string, OwnOpening>();
  readonly learn = jest.fn<unknown, Parameters<SharedMember['learn']>>();
  readonly wake = jest.fn<unknown, [string]>();
  readonly command = jest.fn<unknown, Parameters<SharedMember['command']>>();
  readonly reportFault = jest.fn<unknown, [string, unknown]>();
  readonly sinks = new Set<EventSink>();

  keys(): string[] {
    return [...this.states.keys()];
  }

  getState(key: string): CircuitState {
    return this.states.get(key) ?? 'closed';
  }

  ownOpening(key: string): OwnOpening | undefined {
    return this.openings.get(key);
  }

  addSink(sink: EventSink): () => void {
    this.sinks.add(sink);
    return () => this.sinks.delete(sink);
  }

  /** Opens a circuit for a reason of its own, or another, and tells of it. */
  open(key: string, opening?: Partial<OwnOpening>): void {
    this.states.set(key, 'open');
    const usual = { reason: 'consecutive', waitMs: 300, recovery: 'probe', row: 1 } as const;
    if (opening) this.openings.set(key, { ...usual, ...opening });
    for (const sink of this.sinks) if (sink.wants('OPEN')) sink.tell('OPEN', { key } as never);
  }

  /** An exchange fails that was sent before its circuit opened. */
  failLate(key: string): void {
    const event = { key, late: true } as never;
    for (const sink of this.sinks) if (sink.wants('FAILURE')) sink.tell('FAILURE', event);
  }

  /** The cooldown of a circuit is over. */
  probe(key: string): void {
    this.states.set(key, 'half-open');
    const event = { key } as never;
    for (const sink of this.sinks) if (sink.wants('HALF_OPEN')) sink.tell('HALF_OPEN', event);
  }

  close(key: string): void {
    this.states.set(key, 'closed');
    this.openings.delete(key);
    for (const sink of this.sinks) if (sink.wants('CLOSE')) sink.tell('CLOSE', { key } as never);
  }
}

/** Until all that has been answered is known. */
export const settled = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
