import { Worker } from './crew.js';

/** ns per call of each system, one figure for each round. */
export type Rounds = ReadonlyMap<string, readonly number[]>;

/** Lets all systems take turns, every other round the other way round. */
export async function takeTurns(
  names: readonly string[],
  rounds: number,
  count: number,
): Promise<Rounds> {
  const workers = names.map((name) => new Worker(name));
  const found = new Map(names.map((name) => [name, [] as number[]]));
  for (const worker of workers) await worker.do({ kind: 'calls', count: 10 * count });
  for (let round = 0; round < rounds; round += 1) {
    for (const worker of round % 2 === 0 ? workers : workers.toReversed()) {
      found.get(worker.name)?.push(await worker.do({ kind: 'calls', count }));
    }
  }
  for (const worker of workers) await worker.end();
  return found;
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

/** The median, and the quartiles on both sides of it. */
export function spread(values: readonly number[]): { median: number; low: number; high: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
