interface NodeStream {
  readonly destroyed?: boolean;
  destroy?(): unknown;
  pipe(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Calls `onEnd` once nothing more comes of a response: at once, unless its data is a stream. A web
 * stream does not tell when it ends: it is replaced by one that reads it through.
 */
export function whenStreamEnds(response: unknown, onEnd: () => void): void {
  const data = (response as { data?: unknown } | null | undefined)?.data;
  if (isNodeStream(data) && data.destroyed !== true) data.once('close', onEnd);
  else if (isWebStream(data)) Reflect.set(response as object, 'data', readThrough(data, onEnd));
  else onEnd();
}

/** Whether data can be read only once. */
export function isStream(data: unknown): boolean {
  return isNodeStream(data) || isWebStream(data);
}

/** Lets go of data that nobody will read, if it is a stream. */
export function destroyStream(data: unknown): void {
  if (isNodeStream(data)) data.destroy?.();
  else if (isWebStream(data)) data.cancel().catch(() => undefined);
}

function isNodeStream(data: unknown): data is NodeStream {
  const { pipe, once } = (data ?? {}) as { pipe?: unknown; once?: unknown };
  return typeof pipe === 'function' && typeof once === 'function';
}

function isWebStream(data: unknown): data is ReadableStream<unknown> {
  return typeof (data as { getReader?: unknown } | null | undefined)?.getReader === 'function';
}

function readThrough(source: ReadableStream<unknown>, onEnd: () => void): ReadableStream<unknown> {
  const reader = source.getReader();
  return new ReadableStream<unknown>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        onEnd();
        controller.close();
      } catch (error) {
        onEnd();
        controller.error(error);
      }
    },
    cancel(reason) {
      onEnd();
      return reader.cancel(reason);
    },
  });
}
