import { setImmediate as nextRound } from 'node:timers/promises';
import axios, { type InternalAxiosRequestConfig } from 'axios';
import {
  CircuitBreakerWithEmitter,
  isBreakerOpenError,
  type BreakerEvents,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { randomFrom } from '../../bench/virtual/random.js';

/** What the dependency makes of one request: it answers after `ms`, or the connection is refused. */
export interface Service {
  readonly ms: number;
  /** @default 200 */
  readonly status?: number | 'refused';
}

export interface Traffic {
  /** How long it lasts, in ms. */
  readonly duration: number;
  /** Milliseconds from one request to the next; whatever takes time takes a multiple of it. */
  readonly every: number;
  /** `at`: when the request is sent; `chance`: a random number in 0 … 1 of its own. */
  readonly serve: (at: number, chance: number) => Service;
  readonly options: CircuitBreakerOptions;
  /** Of all chance in it. */
  readonly seed: number;
}

/** When each thing happened, in ms from the start. */
export interface Course {
  readonly sent: number[];
  readonly refused: number[];
  readonly opened: { readonly at: number; readonly reason: BreakerEvents['OPEN']['reason'] }[];
}

/** Steady traffic to a dependency in memory, on a clock that goes on as fast as it can. */
export async function course(traffic: Traffic): Promise<Course> {
  const clock = new ManualClock();
  const random = randomFrom(traffic.seed);
  const { sent, refused, opened }: Course = { sent: [], refused: [], opened: [] };
  const adapter = (config: InternalAxiosRequestConfig) => {
    sent.push(clock.now());
    return answer(clock, config, traffic.serve(clock.now(), random()));
  };
  const client = axios.create({ adapter: adapter as never });
  const chance = jest.spyOn(Math, 'random').mockImplementation(random);
  const breaker = new CircuitBreakerWithEmitter(client, { ...traffic.options, clock });
  breaker.on('OPEN', ({ reason }) => opened.push({ at: clock.now(), reason }));

  while (clock.now() < traffic.duration) {
    const at = clock.now();
    client.get('/').catch((error: unknown) => {
      if (isBreakerOpenError(error)) refused.push(at);
    });
    await nextRound();
    clock.advance(traffic.every);
  }
  breaker.detach();
  chance.mockRestore();
  return { sent, refused, opened };
}

function answer(
  clock: ManualClock,
  config: InternalAxiosRequestConfig,
  { ms, status = 200 }: Service,
): Promise<unknown> {
  const response = { status, statusText: '', headers: {}, data: {}, config };
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      if (status === 200) resolve(response);
      else if (status === 'refused')
        reject(new axios.AxiosError('refused', 'ECONNREFUSED', config));
      else reject(new axios.AxiosError('bad', 'ERR_BAD_RESPONSE', config, {}, response as never));
    }, ms);
    config.signal?.addEventListener?.('abort', () => {
      clock.clearTimeout(timer);
      reject(new axios.CanceledError());
    });
  });
}
