import type { Answer } from '../virtual/exchange.js';

const second = 1_000;

/** What becomes of the dependency, and of which traffic. Times are in ms. */
export interface Scene {
  readonly name: string;
  /** From one call to the next. */
  readonly every: number;
  /** How long the dependency is healthy before. */
  readonly before: number;
  /** How long it is sick, and how long healthy after that; one run for each. */
  readonly runs: readonly Run[];
  readonly after: number;
  /** Whether it never answers what it had in flight when it got sick. */
  readonly losesInFlight?: boolean;
  /** Whether it is sick so many ms after it first was. */
  isSick(at: number, sickFor: number): boolean;
  /** What a sick one makes of a call; `chance` is the call's own, 0 … 1. */
  serve(chance: number): Answer;
}

export interface Run {
  readonly seed: number;
  readonly sickFor: number;
}

const healthyMs = 80;
export const healthy: Answer = { ms: healthyMs, status: 200 };
const slow: Answer = { ms: 8 * second, status: 200 };
const refused: Answer = { ms: 1, status: 'refused' };
const bad: Answer = { ms: healthyMs, status: 503 };

const throughout = (at: number, sickFor: number) => at < sickFor;
const badFor = (share: number) => (chance: number) => (chance < share ? bad : healthy);

/** Outages around `mean` ms, spread over 30 s: by luck no probe comes just when it is over. */
const around = (mean: number, count = 10): Run[] =>
  Array.from({ length: count }, (_, index) => ({
    seed: index + 1,
    sickFor: mean + (index - (count - 1) / 2) * (30 / count) * second,
  }));

const seeds = (count: number, sickFor: number): Run[] =>
  Array.from({ length: count }, (_, index) => ({ seed: index + 1, sickFor }));

const steady = { every: 20, before: 12 * second, after: 40 * second, isSick: throughout };

/** The machine is gone: nothing comes back from it, and its place refuses connections. */
const gone = { ...steady, losesInFlight: true, serve: () => refused };

export const scenes = {
  hard: { ...gone, name: 'connections refused, 98 s', runs: around(98 * second) },
  slow: {
    ...steady,
    name: '8 s instead of 80 ms, 60 s',
    runs: around(60 * second),
    serve: () => slow,
  },
  half: { ...steady, name: '50 % errors, 60 s', runs: around(60 * second, 5), serve: badFor(0.5) },
  flapping: {
    ...gone,
    name: 'flapping: 5 s refused, 5 s healthy, 60 s',
    runs: seeds(5, 60 * second),
    isSick: (at, sickFor) => at < sickFor && at % (10 * second) < 5 * second,
  },
  blip: {
    ...gone,
    name: 'a blip: refused for 1 s',
    runs: seeds(5, second),
    after: 59 * second,
  },
  rare: {
    ...gone,
    name: 'connections refused, 98 s, at 0.5 calls/s',
    every: 2 * second,
    before: 60 * second,
    runs: around(98 * second),
  },
  noise2: {
    ...steady,
    name: '2 % errors, always',
    runs: seeds(1, 600 * second),
    after: 0,
    serve: badFor(0.02),
  },
  noise20: {
    ...steady,
    name: '20 % errors, always',
    runs: seeds(4, 600 * second),
    after: 0,
    serve: badFor(0.2),
  },
} satisfies Record<string, Scene>;

export type SceneName = keyof typeof scenes;
