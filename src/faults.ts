import { oneLine } from './circuit/one-line.js';
import { describe } from './describe.js';

/**
 * Told of user code that threw, with the name of its source: `errorHandler`, `responseHandler`,
 * `listener:OPEN` and the like, `fallback` for what observes answers, or `adapter` where what it rejected
 * with cannot be read.
 */
export type FaultHandler = (error: unknown, source: string) => unknown;

/** Reports what user code threw, once per source, and lets it change nothing. */
export class Faults {
  readonly #onFault: FaultHandler;
  readonly #reported = new Set<string>();

  constructor(onFault: FaultHandler) {
    this.#onFault = onFault;
  }

  report(source: string, error: unknown): void {
    if (this.#reported.has(source)) return;
    this.#reported.add(source);
    try {
      catchRejection(this.#onFault(error, source));
    } catch {
      warn(error, source);
    }
  }
}

/** Whether a value that should have been a plain one is a promise. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Keeps a promise that nobody waits for from ending the process. */
export function catchRejection(
  value: unknown,
  onRejected: (error: unknown) => void = () => undefined,
): void {
  if (isPromiseLike(value)) value.then(undefined, onRejected);
}

/** The default `onFault`: a process warning, `console.warn` in browsers. */
export function warn(error: unknown, source: string): void {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  const text = `${source} threw: ${typeof message === 'string' ? oneLine(message) : describe(error)}`;
  const { process } = globalThis as {
    process?: { emitWarning?: (text: string, name: string) => void };
  };
  if (process?.emitWarning) process.emitWarning(text, 'CircuitBreakerWarning');
  else console.warn(`CircuitBreakerWarning: ${text}`);
}
