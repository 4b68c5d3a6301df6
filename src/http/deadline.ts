import { startTimer, type Clock } from '../circuit/clock.js';
import type { Adapter, RequestConfig } from './axios-like.js';
import { whenStreamEnds } from './stream.js';

/** The time that one exchange may take, and the error it ends with when that is over. */
export interface Deadline {
  readonly ms: number;
  readonly clock: Clock;
  readonly createError: () => Error;
}

/**
 * Calls the adapter with a signal of ours, which the deadline aborts. The caller's own signal goes on
 * to work, and is what stands on the config again before anybody sees the outcome: axios would take a
 * signal that we aborted for a cancellation by the caller.
 *
 * @throws what the adapter throws.
 */
export function withDeadline(
  adapter: Adapter,
  config: RequestConfig,
  { ms, clock, createError }: Deadline,
): Promise<unknown> {
  const link = new SignalLink(config);
  const answer = link.start(adapter);
  return new Promise((resolve, reject) => {
    const stopTimer = startTimer(clock, ms, () => {
      const error = createError();
      link.restore(undefined);
      link.unlink();
      reject(error);
      link.abort(error);
    });
    answer.then(
      (response) => {
        stopTimer();
        link.restore(response);
        link.unlinkAfter(response);
        resolve(response);
      },
      (error: unknown) => {
        stopTimer();
        link.restore(error);
        link.unlink();
        reject(error);
      },
    );
  });
}

interface WithSignal {
  readonly signal?: unknown;
}

interface WithConfig {
  readonly config?: WithSignal;
  readonly response?: { readonly config?: WithSignal };
}

/** A signal of ours in the place of the caller's, which it follows. */
class SignalLink {
  readonly #config: RequestConfig;
  readonly #callers: AbortSignal | undefined;
  readonly #ours = new AbortController();
  readonly #follow = () => this.#ours.abort(this.#callers?.reason);

  constructor(config: RequestConfig) {
    this.#config = config;
    this.#callers = config.signal as AbortSignal | undefined;
  }

  /** Not `AbortSignal.any`: it keeps one dependant per call on a signal that lives long. */
  start(adapter: Adapter): Promise<unknown> {
    this.#callers?.addEventListener('abort', this.#follow, { once: true });
    if (this.#callers?.aborted) this.#follow();
    Reflect.set(this.#config, 'signal', this.#ours.signal);
    try {
      return Promise.resolve(adapter(this.#config));
    } catch (error) {
      this.restore(undefined);
      this.unlink();
      throw error;
    }
  }

  abort(reason: Error): void {
    this.#ours.abort(reason);
  }

  /** Puts the caller's signal back, also where the outcome has a config of its own. */
  restore(outcome: unknown): void {
    this.#putBack(this.#config);
    try {
      const { config, response } = (outcome ?? {}) as WithConfig;
      this.#putBack(config);
      this.#putBack(response?.config);
    } catch {
      // An outcome that cannot be read, such as a proxy that throws, is for the caller as it is.
    }
  }

  #putBack(holder: WithSignal | undefined): void {
    if (holder?.signal !== this.#ours.signal) return;
    if (this.#callers === undefined) Reflect.deleteProperty(holder, 'signal');
    else Reflect.set(holder, 'signal', this.#callers);
  }

  /** The caller can still abort a stream in use: our signal follows until it ends. */
  unlinkAfter(response: unknown): void {
    if (this.#callers === undefined) return;
    try {
      whenStreamEnds(response, () => this.unlink());
    } catch {
      this.unlink();
    }
  }

  unlink(): void {
    this.#callers?.removeEventListener('abort', this.#follow);
  }
}
