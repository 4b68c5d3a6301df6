import { EventStream } from '../../src/status/event-stream.js';
import type { StatusResponse } from '../../src/status/http.js';

/** A client that has taken all so far, or takes nothing more. */
class FakeResponse implements StatusResponse {
  statusCode = 0;
  headersSent = false;
  isFull = false;
  isDestroyed = false;
  readonly written: string[] = [];
  readonly #listeners = new Map<string, () => void>();

  setHeader(): void {
    // Of no interest here.
  }

  write(text: string): boolean {
    this.written.push(text);
    return !this.isFull;
  }

  end(): void {
    this.emit('close');
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }

  on(event: string, listener: () => void): void {
    this.#listeners.set(event, listener);
  }

  emit(event: string): void {
    this.#listeners.get(event)?.();
  }
}

function open() {
  const response = new FakeResponse();
  const compose = jest.fn(
    (ids: ReadonlySet<number>, isFirst: boolean) =>
      `${isFirst ? 'first' : 'then'} ${[...ids].join()};`,
  );
  const onClose = jest.fn();
  const stream = new EventStream(response, compose, onClose);
  return { response, stream, onClose };
}

const beat = 'event: beat\ndata: \n\n';

describe('a stream of events', () => {
  it('tells first of all, even of nothing, and then of what there is', () => {
    const { response, stream } = open();
    stream.tell([]);
    stream.tell([]);
    stream.tell([1, 2]);
    expect(response.written).toEqual(['first ;', 'then 1,2;']);
  });

  it('keeps nothing for a slow client but which circuits it has to hear of', () => {
    const { response, stream } = open();
    response.isFull = true;
    stream.tell([1, 2]);
    for (let time = 1; time <= 1_000; time += 1) stream.tell([2, 3]);
    stream.beat();
    expect(response.written).toEqual(['first 1,2;']);
    response.isFull = false;
    response.emit('drain');
    expect(response.written).toEqual(['first 1,2;', 'then 2,3;']);
    stream.beat();
    stream.tell([4]);
    expect(response.written.slice(2)).toEqual([beat, 'then 4;']);
  });

  it('ends with a client that takes nothing for ten beats', () => {
    const { response, stream, onClose } = open();
    response.isFull = true;
    stream.tell([1]);
    for (let time = 1; time <= 9; time += 1) stream.beat();
    expect(response.isDestroyed).toBe(false);
    stream.beat();
    expect(response.isDestroyed).toBe(true);
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('counts anew for a client that has caught up', () => {
    const { response, stream } = open();
    for (let time = 1; time <= 3; time += 1) {
      response.isFull = true;
      stream.tell([time]);
      for (let beats = 1; beats <= 9; beats += 1) stream.beat();
      response.isFull = false;
      response.emit('drain');
    }
    expect(response.isDestroyed).toBe(false);
  });

  it.each(['close', 'error'])('is over at the %s of its client', (event) => {
    const { response, onClose } = open();
    response.emit(event);
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
