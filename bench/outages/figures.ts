import type { System } from '../systems/system.js';
import { course, type Call, type Course } from './course.js';
import type { Run, Scene } from './scenes.js';

/** What a system made of a scene. Times are in ms, shares 0–1; means over the runs. */
export interface Figures {
  /** Calls that were made while the dependency was sick. */
  readonly offered: number;
  /** Requests that were sent to it while it was sick. */
  readonly wasted: number;
  /** From the first sick moment until it opens; what tells of no opening has none. */
  readonly detection: number | undefined;
  /** From the first sick moment to the first call that was refused. */
  readonly firstRefusal: number | undefined;
  /** From the last sick moment until calls are answered in less than 1 s, and stay so. */
  readonly recovery: number;
  /** Share of the calls that were refused though the dependency was healthy; none before it was sick. */
  readonly refusedHealthy: number;
  /** Share of all calls that were refused, from the first sick moment on. */
  readonly refused: number;
  /** The most requests under way at once, from the first sick moment on. */
  readonly peak: number;
  /** How long a caller waits for an outcome of any kind, of the calls made while it was sick. */
  readonly p50: number;
  readonly p99: number;
}

export async function measure(
  scene: Scene,
  system: System,
  runs: readonly Run[] = scene.runs,
): Promise<Figures> {
  const all: Figures[] = [];
  for (const run of runs) all.push(figuresOf(scene, run, await course(scene, system, run)));
  const mean = (name: keyof Figures) => {
    const values = all.map((figures) => figures[name]).filter((value) => value !== undefined);
    const sum = values.reduce((total, value) => total + value, 0);
    return values.length === 0 ? undefined : sum / values.length;
  };
  return {
    offered: mean('offered') ?? 0,
    wasted: mean('wasted') ?? 0,
    detection: mean('detection'),
    firstRefusal: mean('firstRefusal'),
    recovery: mean('recovery') ?? 0,
    refusedHealthy: mean('refusedHealthy') ?? 0,
    refused: mean('refused') ?? 0,
    peak: Math.max(...all.map(({ peak }) => peak)),
    p50: mean('p50') ?? 0,
    p99: mean('p99') ?? 0,
  };
}

function figuresOf(scene: Scene, { sickFor }: Run, { calls, wire, opened }: Course): Figures {
  const isSick = (at: number) => at >= 0 && scene.isSick(at, sickFor);
  const since = calls.filter(({ at }) => at >= 0);
  const sick = since.filter(({ at }) => isSick(at));
  const well = since.filter(({ at }) => !isSick(at));
  const waits = sick.map(({ at, endedAt }) => endedAt - at).sort((a, b) => a - b);
  const lastBad = well.filter((call) => call.at >= sickFor && !isGood(call)).at(-1);
  const firstRefused = calls.find(isRefused);
  return {
    offered: sick.length,
    wasted: wire.sent.filter(isSick).length,
    detection: opened[0],
    firstRefusal: firstRefused?.at,
    recovery: lastBad ? lastBad.at + scene.every - sickFor : 0,
    refusedHealthy: share(well.filter(isRefused), well),
    refused: share(since.filter(isRefused), since),
    peak: Math.max(...wire.inFlight.filter((_, index) => (wire.sent[index] ?? -1) >= 0)),
    p50: waits[Math.floor(waits.length * 0.5)] ?? NaN,
    p99: waits[Math.floor(waits.length * 0.99)] ?? NaN,
  };
}

const isRefused = ({ outcome }: Call) => outcome === 'refused';
const isGood = ({ at, endedAt, outcome }: Call) => outcome === 'success' && endedAt - at < 1_000;
const share = (part: readonly unknown[], whole: readonly unknown[]) =>
  whole.length === 0 ? 0 : part.length / whole.length;
