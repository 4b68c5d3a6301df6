import { count, duration, percent } from '../report/formats.js';
import type { Figures } from './figures.js';
import type { SceneName } from './scenes.js';
import type { GuardName } from './systems.js';

export interface Target {
  readonly scene: SceneName;
  readonly guard: GuardName;
  readonly figure: keyof Figures;
  readonly atMost: number;
  readonly write: (value: number | undefined) => string;
  /** Where it is missed: known, and told in docs/benchmarks.md. */
  readonly isMissed?: true;
}

/** What this package is to reach. */
export const targets: readonly Target[] = [
  { scene: 'hard', guard: 'default', figure: 'wasted', atMost: 21, write: count },
  { scene: 'hard', guard: 'default', figure: 'detection', atMost: 110, write: duration },
  { scene: 'hard', guard: 'default', figure: 'firstRefusal', atMost: 110, write: duration },
  {
    scene: 'hard',
    guard: 'default',
    figure: 'recovery',
    atMost: 5_000,
    write: duration,
    isMissed: true,
  },
  { scene: 'slow', guard: 'recommended', figure: 'wasted', atMost: 45, write: count },
  { scene: 'slow', guard: 'recommended', figure: 'detection', atMost: 1_200, write: duration },
  { scene: 'slow', guard: 'recommended', figure: 'firstRefusal', atMost: 1_200, write: duration },
  { scene: 'slow', guard: 'recommended', figure: 'peak', atMost: 25, write: count },
  { scene: 'slow', guard: 'slow', figure: 'wasted', atMost: 75, write: count },
  { scene: 'blip', guard: 'default', figure: 'refusedHealthy', atMost: 0.003, write: percent },
  {
    scene: 'noise20',
    guard: 'default',
    figure: 'refused',
    atMost: 0.01,
    write: percent,
    isMissed: true,
  },
  { scene: 'rare', guard: 'default', figure: 'detection', atMost: 10_000, write: duration },
];
