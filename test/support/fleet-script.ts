/**
 * One of the processes that share: `fleet-script <url of a Redis> <its number>`. It does what it is told through the
 * channel to its parent, and says there what comes of it, until that is closed.
 */
import { Agent } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type InternalAxiosRequestConfig } from 'axios';
import { createClient } from 'redis';
import {
  CircuitBreakerWithEmitter,
  isBreakerOpenError,
  type SharedState,
} from '../../src/index.js';
import { redisState } from '../../src/redis/index.js';
import type { Order, Report, Said, Work } from './fleet-orders.js';

const [redisUrl = '', index = ''] = process.argv.slice(2);
const redis = createClient({ url: redisUrl }).on('error', () => undefined);
const shared = redisState(redis);
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();

/** So much longer than a probe may take does Redis keep the right to it, in ms. */
const leaseSpare = 200;

const say = (said: Said) => process.send?.(said);
const blank = (): Report => ({ passed: 0, failed: 0, refused: 0, heldUp: 0, states: {} });

/** A breaker under load. */
class Guarded {
  readonly #work: Work;
  readonly #breaker: CircuitBreakerWithEmitter;
  #report = blank();
  #answer = 'not asked';

  constructor(name: string, work: Work) {
    this.#work = work;
    const http = axios.getAdapter('http');
    const client = axios.create({
      baseURL: work.url,
      httpAgent: new Agent({ keepAlive: true }),
      adapter: (config) => http(this.#marked(config)),
    });
    this.#breaker = new CircuitBreakerWithEmitter(client, {
      ...work.options,
      name,
      ...(work.isShared && { shared: this.#overheard(shared) }),
      key: ({ url = '' }) => url,
      // On a starved machine Redis does not answer in time.
      onFault: () => undefined,
    });
    for (const said of ['OPEN', 'HALF_OPEN', 'CLOSE'] as const) {
      this.#breaker.on(said, (event: { key: string; reason?: string }) => {
        const { key: path, reason = '' } = event;
        say({ said, guard: name, path, at: Date.now(), reason });
      });
    }
    for (const path of work.paths) void this.#ask(() => client.get(path));
  }

  report(): Report {
    const { paths } = this.#work;
    const states = Object.fromEntries(paths.map((path) => [path, this.#breaker.getState(path)]));
    const report = { ...this.#report, states, heldUp: delays.max / 1e6 };
    this.#report = blank();
    delays.reset();
    return report;
  }

  async #ask(get: () => Promise<unknown>): Promise<void> {
    // What could not be sent in time is sent late: so many are to be asked for.
    for (let due = performance.now(); ;) {
      due += this.#work.every * (0.5 + Math.random());
      await sleep(Math.max(0, due - performance.now()));
      get().then(
        () => (this.#report.passed += 1),
        (error: unknown) => (this.#report[isBreakerOpenError(error) ? 'refused' : 'failed'] += 1),
      );
    }
  }

  /** The server is to know which requests are probes, and what Redis said to them. */
  #marked(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
    config.headers.set('x-process', index);
    config.headers.set('x-sent-at', String(Date.now()));
    const isProbe = this.#breaker.getState(config.url) === 'half-open';
    if (isProbe) config.headers.set('x-probe', this.#answer);
    this.#answer = 'not asked';
    return config;
  }

  #overheard(state: SharedState): SharedState {
    return {
      join: (member) => {
        const seat = state.join(member);
        const lease = async (key: string, ms: number) => {
          const askedAt = performance.now();
          const answer = await seat.lease(key, ms);
          const told = typeof answer === 'object' ? 'granted' : answer;
          // One that was held up has heard too late that it may.
          const isLate = told === 'granted' && performance.now() - askedAt > leaseSpare;
          this.#answer = isLate ? 'late' : told;
          return answer;
        };
        const { fleet } = seat;
        return { fleet, lease, made: (key) => seat.made(key), leave: () => seat.leave() };
      },
    };
  }
}

const guarded = new Map<string, Guarded>();

process.on('message', (message: Order) => {
  const { order, guard } = message;
  if (order === 'guard') {
    guarded.set(guard, new Guarded(guard, message.work));
    return;
  }
  const report = guarded.get(guard)?.report();
  if (report) say({ said: 'report', guard, report });
});
process.on('disconnect', () => process.exit());
void redis.connect().then(() => say({ said: 'ready' }));
