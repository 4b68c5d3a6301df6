import { randomFrom } from '../virtual/random.js';
import { Worker } from './crew.js';

/** ns per call of each system, one figure for each round. */
export type Rounds = ReadonlyMap<string, readonly number[]>;

/** So many calls see the garbage collector at least once. */
const callsPerTurn = 2_000;
const turnsPerRound = 6;

/** Measures all systems in so many rounds. */
export async function takeRounds(names: readonly string[], rounds: number): Promise<Rounds> {
  const found = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, ns] of await takeTurns(names)) found.get(name)?.push(ns);
  }
  return found;
}

/**
 * One round: each system in a new process, since no two of one system are equally fast. They take turns,
 * every other time the other way round; the fastest one counts, since what disturbs only adds.
 */
async function takeTurns(names: readonly string[]): Promise<Map<string, number>> {
  const workers = names.map((name) => new Worker(name));
  const fastest = new Map<string, number>();
  for (const worker of workers) await worker.do({ kind: 'calls', count: 5 * callsPerTurn });
  for (let turn = 0; turn < turnsPerRound; turn += 1) {
    for (const worker of turn % 2 === 0 ? workers : workers.toReversed()) {
      const ns = await worker.do({ kind: 'calls', count: callsPerTurn });
      fastest.set(worker.name, Math.min(ns, fastest.get(worker.name) ?? Infinity));
    }
  }
  for (const worker of workers) await worker.end();
  return fastest;
}

/** Of each round by itself: what disturbs one disturbs both sides of its ratio. */
export function perRound(
  rounds: Rounds,
  names: readonly string[],
  combine: (...ns: number[]) => number,
): number[] {
  const series = names.map((name) => rounds.get(name) ?? []);
  return (series[0] ?? []).map((_, round) => combine(...series.map((ns) => ns[round] ?? NaN)));
}

/** A median, and the quartiles on both sides of it. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/**
 * The ratio of two medians, of figures that may be next to nothing in a single round; its spread is that
 * over rounds drawn at random from those there were.
 */
export function ratioOfMedians(values: readonly number[], others: readonly number[]): Spread {
  const random = randomFrom(1);
  const draws = Array.from({ length: 1_000 }, () => {
    const drawn = values.map(() => Math.floor(random() * values.length));
    const medianOf = (figures: readonly number[]) =>
      spread(drawn.map((round) => figures[round] ?? NaN)).median;
    return medianOf(values) / medianOf(others);
  });
  const { low, high } = spread(draws);
  return { median: spread(values).median / spread(others).median, low, high };
}
