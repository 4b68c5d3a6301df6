import { startTimer, type Clock } from './clock.js';

/** What an alarm wakes. */
export interface Sleeper {
  readonly dueAt: number | undefined;
  update(): void;
}

/** Makes a circuit's changes punctual without traffic. No decision depends on it. */
export class Alarm {
  readonly #sleeper: Sleeper;
  readonly #clock: Clock;
  #stop: (() => void) | undefined;

  constructor(sleeper: Sleeper, clock: Clock) {
    this.#sleeper = sleeper;
    this.#clock = clock;
  }

  /** Sets the alarm to when the circuit is due, instead of to what it was set before. */
  set(): void {
    this.stop();
    const { dueAt = Infinity } = this.#sleeper;
    if (dueAt === Infinity) return;
    this.#stop = startTimer(this.#clock, dueAt - this.#clock.now(), () => {
      this.#sleeper.update();
      this.set();
    });
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
