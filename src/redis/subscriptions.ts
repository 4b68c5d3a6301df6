import { startTimer, systemClock } from '../circuit/clock.js';
import { ignore, type OnMessage } from './commands.js';

/** How long after one has ended the next is made, in ms; at once where the client comes back. */
const retryDelay = 1_000;

/** A connection that listens. */
export interface Subscriber {
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  /** Whether it is there, or will be again by itself. */
  isOpen(): boolean;
  close(): void;
}

/** What is called by a connection that listens. */
export interface SubscriberEvents {
  /** Each time that it is there. */
  readonly onReady: () => void;
  readonly onMessage: (channel: string, message: string) => void;
  /** It is gone for good. */
  readonly onEnd: () => void;
}

/** A client, and how it listens. */
export interface Source {
  isReady(): boolean;
  on(event: 'ready' | 'end', listener: () => void): unknown;
  off(event: 'ready' | 'end', listener: () => void): unknown;
  subscriber(events: SubscriberEvents): Subscriber;
}

/** What all breakers of one client listen to, on one connection, which lives no longer than the client does. */
export class Subscriptions {
  readonly #source: Source;
  readonly #channels = new Map<string, Set<OnMessage>>();
  #subscriber: Subscriber | undefined;
  #stopTimer: () => void = ignore;

  constructor(source: Source) {
    this.#source = source;
  }

  listen(channel: string, onMessage: OnMessage): () => void {
    // Two that are given the same function are two.
    const listener: OnMessage = (message) => onMessage(message);
    if (this.#channels.size === 0) this.#follow();
    const listeners = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, listeners.add(listener));
    if (this.#subscriber === undefined) this.#startIfReady();
    else if (listeners.size === 1) this.#subscribe(channel);
    return () => {
      if (listeners.delete(listener) && listeners.size === 0) this.#leave(channel);
    };
  }

  #leave(channel: string): void {
    this.#channels.delete(channel);
    void this.#subscriber?.unsubscribe(channel).catch(ignore);
    if (this.#channels.size > 0) return;
    this.#source.off('ready', this.#start);
    this.#source.off('end', this.#stop);
    this.#stop();
  }

  #follow(): void {
    this.#source.on('ready', this.#start);
    this.#source.on('end', this.#stop);
  }

  #startIfReady(): void {
    if (this.#source.isReady()) this.#start();
  }

  /** Alone it may be refused what its client may: then it is not to try all the time. */
  #startLater(): void {
    this.#stopTimer();
    this.#stopTimer = startTimer(systemClock, retryDelay, () => this.#startIfReady());
  }

  readonly #start = (): void => {
    if (this.#subscriber?.isOpen()) return;
    this.#subscriber = this.#source.subscriber({
      onReady: () => {
        for (const channel of this.#channels.keys()) this.#subscribe(channel);
      },
      onMessage: (channel, message) => this.#tell(channel, message),
      onEnd: () => this.#startLater(),
    });
  };

  readonly #stop = (): void => {
    this.#stopTimer();
    this.#subscriber?.close();
    this.#subscriber = undefined;
  };

  #subscribe(channel: string): void {
    void this.#subscriber
      ?.subscribe(channel)
      .then(() => this.#tell(channel))
      .catch(ignore);
  }

  #tell(channel: string, message?: string): void {
    for (const onMessage of this.#channels.get(channel) ?? []) onMessage(message);
  }
}
