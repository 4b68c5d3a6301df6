import type { Answer } from '../virtual/exchange.js';
import type { World } from '../virtual/world.js';

const second = 1_000;

/** How a server limits, and what it says of it. Times are in ms. */
export interface Limiter {
  readonly name: string;
  /** Calls that it serves in `period`, when it is asked for more all the time. */
  readonly quota: number;
  readonly period: number;
  /** So many periods are measured. */
  readonly periods: number;
  /** What it may serve at once beyond the quota of its period. */
  readonly burst?: number;
  /** The server itself, asked about one request after the other. */
  start(world: World): () => Reply;
}

export type Reply = Omit<Answer, 'ms'>;

const served: Reply = { status: 200 };
const seconds = (ms: number) => String(Math.ceil(ms / second));
const refused = (waitMs: number): Reply => ({
  status: 429,
  headers: { 'retry-after': seconds(waitMs) },
});

interface Quota {
  readonly remaining: number;
  readonly resetsInMs: number;
  readonly isRefused: boolean;
}

/** So many in each window, from one full period to the next. */
const windowed =
  (quota: number, period: number, tell: (state: Quota, world: World) => Reply) =>
  (world: World): (() => Reply) => {
    let window = 0;
    let left = quota;
    return () => {
      const current = Math.floor(world.now / period);
      if (current !== window) left = quota;
      window = current;
      const isRefused = left === 0;
      if (!isRefused) left -= 1;
      const resetsInMs = (current + 1) * period - world.now;
      return tell({ remaining: left, resetsInMs, isRefused }, world);
    };
  };

const hour = 3_600 * second;
const minute = 60 * second;

export const limiters = {
  fixed: {
    name: 'fixed window with Retry-After (60 per minute)',
    ...{ quota: 60, period: minute, periods: 20 },
    start: windowed(60, minute, ({ resetsInMs, isRefused }) =>
      isRefused ? refused(resetsInMs) : served,
    ),
  },
  bucket: {
    name: 'token bucket with Retry-After (10 per second, 20 at once)',
    ...{ quota: 10, period: second, periods: 600, burst: 20 },
    start(world) {
      let tokens = 20;
      let filledAt = 0;
      return () => {
        tokens = Math.min(20, tokens + ((world.now - filledAt) * 10) / second);
        filledAt = world.now;
        if (tokens < 1) return refused(((1 - tokens) / 10) * second);
        tokens -= 1;
        return served;
      };
    },
  },
  github: {
    name: 'GitHub: 403 with remaining and reset (5,000 per hour)',
    ...{ quota: 5_000, period: hour, periods: 3 },
    start: windowed(5_000, hour, ({ remaining, resetsInMs, isRefused }, world) => ({
      status: isRefused ? 403 : 200,
      headers: {
        date: new Date(world.date).toUTCString(),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': seconds(world.date + resetsInMs),
      },
    })),
  },
  silent: {
    name: 'a 429 that says nothing (300 per minute)',
    ...{ quota: 300, period: minute, periods: 20 },
    start: windowed(300, minute, ({ isRefused }) => (isRefused ? { status: 429 } : served)),
  },
  strict: {
    name: 'strict: refused calls count as well (60 in any minute, Retry-After)',
    ...{ quota: 60, period: minute, periods: 20 },
    start(world) {
      const asked: number[] = [];
      return () => {
        while (asked[0] !== undefined && asked[0] <= world.now - minute) asked.shift();
        asked.push(world.now);
        const [oldest = 0] = asked.slice(-60);
        return asked.length > 60 ? refused(oldest + minute - world.now) : served;
      };
    },
  },
} satisfies Record<string, Limiter>;

export type LimiterName = keyof typeof limiters;
