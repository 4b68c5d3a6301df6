import { begin, type StatusResponse } from './http.js';

/** A client that takes nothing for so many beats is gone, whatever its connection says. */
const mostBeats = 10;

/** The news of circuits as one event; `isFirst` where its reader knows of none yet. */
export type Compose = (ids: ReadonlySet<number>, isFirst: boolean) => string;

/**
 * Server-sent events to one client. Of news for one that reads slowly nothing is kept but the circuits
 * that they are of: it gets the last of each when it has read what is under way.
 */
export class EventStream {
  readonly #response: StatusResponse;
  readonly #compose: Compose;
  readonly #unheard = new Set<number>();
  #isFirst = true;
  #isFull = false;
  #beatsMissed = 0;

  constructor(response: StatusResponse, compose: Compose, onClose: () => void) {
    this.#response = response;
    this.#compose = compose;
    begin(response, 200, 'text/event-stream; charset=utf-8');
    // Compression would hold the events back, and so would nginx.
    response.setHeader('cache-control', 'no-store, no-transform');
    response.setHeader('x-accel-buffering', 'no');
    response.on('close', onClose);
    response.on('error', onClose);
    response.on('drain', () => {
      this.#isFull = false;
      this.#beatsMissed = 0;
      this.#flush();
    });
  }

  tell(ids: Iterable<number>): void {
    for (const id of ids) this.#unheard.add(id);
    this.#flush();
  }

  /** Shows the client that it is still connected, and ends with one that takes nothing. */
  beat(): void {
    if (!this.#isFull) {
      this.#write('event: beat\ndata: \n\n');
      return;
    }
    this.#beatsMissed += 1;
    if (this.#beatsMissed >= mostBeats) this.#response.destroy();
  }

  end(): void {
    this.#response.end();
  }

  #flush(): void {
    if (this.#isFull || (this.#unheard.size === 0 && !this.#isFirst)) return;
    const event = this.#compose(this.#unheard, this.#isFirst);
    this.#isFirst = false;
    this.#unheard.clear();
    this.#write(event);
  }

  #write(text: string): void {
    this.#isFull = !this.#response.write(text);
  }
}
