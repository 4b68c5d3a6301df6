import axios, { type AxiosInstance } from 'axios';
import { CircuitBreaker, type CircuitBreakerOptions } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

/** A breaker on a client whose server, in memory, answers as it is told, at once or after `ms`. */
export interface Guarded {
  readonly breaker: CircuitBreaker;
  readonly client: AxiosInstance;
  readonly clock: ManualClock;
  /** How the server answers from now on. */
  answer: { status: number; ms?: number; message?: string };
  /** Asks, and waits for what comes of it. */
  get(url?: string): Promise<void>;
}

/** Opens on 3 failures in a row, for 10 s, and closes by the clock. */
export function createGuarded(
  options: CircuitBreakerOptions = {},
  clock: ManualClock = new ManualClock(),
): Guarded {
  const guarded: Pick<Guarded, 'answer'> = { answer: { status: 200 } };
  const client = axios.create({
    adapter: (config) => {
      const { status, ms = 0, message = `status ${status}` } = guarded.answer;
      clock.advance(ms);
      const response = { status, statusText: '', headers: {}, data: {}, config };
      if (status < 400) return Promise.resolve(response);
      return Promise.reject(new axios.AxiosError(message, 'ERR_BAD', config, {}, response));
    },
  });
  const breaker = new CircuitBreaker(client, {
    consecutiveFailures: 3,
    cooldown: 10_000,
    cooldownJitter: 0,
    halfOpen: false,
    clock,
    ...options,
  });
  const get = (url = '/') =>
    client.get(url).then(
      () => undefined,
      () => undefined,
    );
  return Object.assign(guarded, { breaker, client, clock, get });
}

/** Fails until the circuit opens. */
export async function trip(guarded: Guarded, url?: string): Promise<void> {
  const { answer } = guarded;
  guarded.answer = { status: 503 };
  for (let request = 1; request <= 3; request += 1) await guarded.get(url);
  guarded.answer = answer;
}
