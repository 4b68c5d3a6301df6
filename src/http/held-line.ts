import { startTimer, type Clock } from '../circuit/clock.js';
import type { Verdict } from '../circuit/permit.js';

/** Limits of the line, as one who waits in it sees them. */
export interface HoldRules {
  /** How many requests of a circuit may wait. */
  readonly maxWaiting: number;
  /** How long one may wait, in ms. */
  readonly maxWait: number;
}

/** How waiting in the line ended. */
export type Turn = 'turn' | 'full' | 'late' | 'cancelled';

interface Waiter {
  readonly ticket: number;
  readonly end: (turn: Turn) => void;
}

/**
 * Requests that wait for their circuit to close, the first to wait being the first to go: one, and as
 * those before them succeed two, four and so on, so that a server that has just recovered is not run over.
 * Once they have met a limit, groups grow no larger than what may be told "not so often" again: one in fifty.
 */
export class HeldLine {
  readonly #clock: Clock;
  /** In the order of their tickets. */
  readonly #waiting: Waiter[] = [];
  #lastTicket = 0;
  /** How many were let go, and ask the circuit or wait for a place in its bulkhead. */
  #asking = 0;
  /** How many were sent and have not ended. */
  #out = 0;
  /** How many may ask or be out at once. */
  #width = 1;
  /** How many that may become, as long as somebody waits. */
  #widest = Infinity;
  /** How many succeeded since the limit was met. */
  #passed = 0;
  /** Whether the circuit may have changed since the last one was let go. */
  #hasNews = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether nobody waits, or may come back. */
  get isEmpty(): boolean {
    return this.#asking + this.#out + this.#waiting.length === 0;
  }

  /** A place in the line; who comes back with it stands where it stood before. */
  takeTicket(): number {
    if (this.isEmpty) {
      this.#width = 1;
      this.#widest = Infinity;
      this.#passed = 0;
    }
    // Whoever decided to wait may have taken its time.
    this.#hasNews = true;
    return (this.#lastTicket += 1);
  }

  /** `onCancel` is given the function that ends the waiting, and returns the one that lets go of it. */
  wait(
    ticket: number,
    { maxWaiting, maxWait }: HoldRules,
    onCancel: (cancel: () => void) => () => void,
  ): Promise<Turn> {
    if (this.#waiting.length + this.#asking >= maxWaiting) return Promise.resolve('full');
    const waited = this.#enter(ticket, maxWait, onCancel);
    // Not each time: who has just been refused would ask for ever.
    if (this.#hasNews) this.release();
    return waited;
  }

  /** Lets go those whose turn it is. Each then asks the circuit. */
  release(): void {
    this.#hasNews = true;
    while (this.#asking + this.#out < this.#width && this.#waiting.length > 0) this.#letGoFirst();
  }

  /** Lets all go: there is nothing left to wait for. */
  releaseAll(): void {
    while (this.#waiting.length > 0) this.#letGoFirst();
  }

  /** One that was let go was refused again: so would the next be. */
  comesBack(): void {
    this.#asking -= 1;
    this.#width = 1;
  }

  /** One that was let go gives up. */
  leaves(): void {
    this.#asking -= 1;
    this.release();
  }

  /** One that was let go is sent. */
  sends(): void {
    this.#asking -= 1;
    this.#out += 1;
  }

  /** The exchange of one that was sent has ended; `isLimited`: with "not so often". */
  ended(verdict: Verdict, isLimited: boolean): void {
    this.#out -= 1;
    if (verdict === 'success') this.#grow();
    if (verdict === 'failure') this.#shrink(isLimited);
    this.release();
  }

  #grow(): void {
    this.#passed += 1;
    this.#width = Math.min(this.#width + 1, this.#widest);
  }

  #shrink(isLimited: boolean): void {
    this.#width = 1;
    // Once for all that are told the same.
    if (!isLimited || this.#passed === 0) return;
    this.#widest = Math.max(1, Math.floor(this.#passed / 50));
    this.#passed = 0;
  }

  #letGoFirst(): void {
    this.#asking += 1;
    this.#hasNews = false;
    this.#waiting[0]?.end('turn');
  }

  #enter(
    ticket: number,
    maxWait: number,
    onCancel: (cancel: () => void) => () => void,
  ): Promise<Turn> {
    if (maxWait <= 0) return Promise.resolve('late');
    return new Promise((resolve) => {
      const end = (turn: Turn) => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        stopTimer();
        letGo();
        resolve(turn);
      };
      const waiter = { ticket, end };
      const letGo = onCancel(() => end('cancelled'));
      // Nothing else may keep the process alive, and what waits must not be lost.
      const stopTimer = startTimer(this.#clock, maxWait, () => end('late'), { keepsAlive: true });
      this.#insert(waiter);
    });
  }

  #insert(waiter: Waiter): void {
    const index = this.#waiting.findIndex(({ ticket }) => ticket > waiter.ticket);
    if (index === -1) this.#waiting.push(waiter);
    else this.#waiting.splice(index, 0, waiter);
  }
}
