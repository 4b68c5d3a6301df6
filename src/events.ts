import type { AxiosResponse } from 'axios';
import type { CircuitEvents, EventOutlet, ExchangeEvent as Exchange } from './circuit/events.js';
import type { BreakerOpenError, BulkheadFullError } from './errors.js';

/** What SUCCESS, FAILURE and IGNORE tell of one exchange. */
export interface ExchangeEvent extends Exchange {
  readonly response: AxiosResponse | undefined;
}

/** What REFUSE tells. */
export interface RefuseEvent {
  readonly key: string;
  /** What the caller gets. */
  readonly error: BreakerOpenError | BulkheadFullError;
}

/** What FALLBACK tells. */
export interface FallbackEvent {
  readonly key: string;
  /** The refusal, or the failure, that the caller does not get. */
  readonly error: unknown;
}

/** The events of a breaker by name, with what each one tells. */
export interface BreakerEvents extends CircuitEvents {
  SUCCESS: ExchangeEvent;
  FAILURE: ExchangeEvent;
  IGNORE: ExchangeEvent;
  REFUSE: RefuseEvent;
  FALLBACK: FallbackEvent;
}

/** The name of an event. */
export type BreakerEventName = keyof BreakerEvents;

/** Whom events are told. Never throws. */
export interface EventSink {
  wants(type: BreakerEventName): boolean;
  tell<Type extends BreakerEventName>(type: Type, event: BreakerEvents[Type]): void;
}

/** Tells events in the order in which they were committed, one after the other, never nested. */
export class EventQueue implements EventOutlet {
  readonly #sinks = new Set<EventSink>();
  readonly #pending: (() => void)[] = [];
  #isTelling = false;
  /** Whether nothing is told any more. */
  isClosed = false;

  /** Returns the function that takes the sink away. */
  addSink(sink: EventSink): () => void {
    this.#sinks.add(sink);
    return () => this.#sinks.delete(sink);
  }

  wants(type: BreakerEventName): boolean {
    for (const sink of this.#sinks) if (sink.wants(type)) return true;
    return false;
  }

  push<Type extends BreakerEventName>(type: Type, event: BreakerEvents[Type]): void {
    this.#pending.push(() => {
      if (this.isClosed) return;
      for (const sink of this.#sinks) if (sink.wants(type)) sink.tell(type, event);
    });
  }

  flush(): void {
    if (this.#isTelling || this.#pending.length === 0) return;
    this.#isTelling = true;
    for (let tell = this.#pending.shift(); tell; tell = this.#pending.shift()) tell();
    this.#isTelling = false;
  }

  /** From now on nothing is told. */
  close(): void {
    this.isClosed = true;
  }
}
