import type { Opening, OwnOpening } from './circuit/learned.js';
import type { CircuitState } from './circuit/state.js';
import type { Command } from './circuit/transitions.js';
import type { Clock } from './circuit/clock.js';
import type { EventSink } from './events.js';

/** Where several processes tell each other what they learn: `redisState()` makes one. */
export interface SharedState {
  /** Takes part for one breaker. Called once, while it is made. */
  join(member: SharedMember): SharedSeat;
}

/** What a breaker shows of itself to what it shares, and lets be told. */
export interface SharedMember {
  /** The name that the breakers which share have in common. */
  readonly name: string;
  readonly clock: Clock;
  /** Whether it only observes: it has no vote, and asks for no lease. */
  readonly observes: boolean;
  /** How many probes of a circuit may be under way at once, of all processes together. */
  readonly maxProbes: number;
  /** For how long others may stop it at most, in ms. */
  readonly maxWait: number;
  /** The keys of its circuits. */
  keys(): string[];
  getState(key: string): CircuitState;
  /** The opening of a circuit that opened for a reason of its own. */
  ownOpening(key: string): OwnOpening | undefined;
  /** What other processes have learned of a circuit; for a key that has none it does nothing. */
  learn(key: string, news: Opening | 'closed'): void;
  /** The right to probe that was denied may be free. */
  wake(key: string): void;
  /** Without a key: to all circuits. */
  command(command: Command, key: string | undefined): void;
  /** Returns the function that takes the sink away. */
  addSink(sink: EventSink): () => void;
  reportFault(source: string, error: unknown): void;
}

/** The place of one breaker among those that share. */
export interface SharedSeat {
  readonly fleet: Fleet;
  /** There is a circuit for this key from now on. */
  made(key: string): void;
  /**
   * Asks for the right to probe, for `ms` milliseconds. Answers soon and never rejects: `'unknown'` where
   * nobody can say, and then this process decides alone.
   */
  lease(key: string, ms: number): Promise<ProbeLease | 'denied' | 'unknown'>;
  /** Takes part no longer. */
  leave(): void;
}

/** The right to probe. */
export interface ProbeLease {
  /** `counts`: whether the state that the circuit is in now is what came of the probe. */
  end(counts: boolean): void;
}

/** Commands to the breakers of one name in all processes. */
export interface Fleet {
  /**
   * Refuses every request in every process, also in those that start later, until `fleet.close()`;
   * without a key, of all circuits.
   *
   * @throws Error, as a promise, where that was not acknowledged.
   */
  open(key?: string): Promise<void>;
  /**
   * Closes in every process, whatever opened; without a key, all circuits.
   *
   * @throws Error, as a promise, where that was not acknowledged.
   */
  close(key?: string): Promise<void>;
}

/** Of a breaker that shares nothing. */
export const noFleet: Fleet = { open: rejectAlone, close: rejectAlone };

function rejectAlone(): Promise<void> {
  return Promise.reject(new Error('A breaker has a fleet only with the option `shared`'));
}
