import type { Figures } from './figures.js';
import { scenes, type Run, type Scene, type SceneName } from './scenes.js';
import type { GuardName } from './systems.js';

type Limits = Partial<Figures>;

/** From one call to the next. */
const every = 20;
const answerMs = 80;

/**
 * What a rule comes to on average, by arithmetic: a breaker that opens at `opensAt` and then sends one probe
 * after each cooldown of 1 s, 2 s, 4 s … 30 s, less 5 % that chance takes off. A probe costs `probeMs`.
 */
function rule(runs: readonly Run[], opensAt: number, probeMs: number) {
  const courses = runs.map(({ sickFor }) => {
    let probes = 0;
    let probeAt = opensAt + cooldown(0);
    while (probeAt < sickFor) {
      probes += 1;
      probeAt += probeMs + cooldown(probes);
    }
    return { probes, recovery: probeAt - sickFor + answerMs };
  });
  const mean = (name: 'probes' | 'recovery') =>
    courses.reduce((sum, values) => sum + values[name], 0) / courses.length;
  return { probes: mean('probes'), recovery: mean('recovery') };
}

const cooldown = (row: number) => 0.95 * Math.min(1_000 * 2 ** row, 30_000);

/** The fifth refused connection in a row opens it, 1 ms after it was tried. */
function inRow(scene: Scene): Limits {
  const detection = 4 * scene.every + 1;
  const { probes, recovery } = rule(scene.runs, detection, 1);
  return { detection, firstRefusal: 5 * scene.every, wasted: 5 + probes, recovery };
}

/** The fifth call that is overdue opens it; a probe of a slow server takes all of its 3 s. */
function overdue(slowCallDuration: number, sent: number, firstRefusal: number): Limits {
  const detection = 4 * every + slowCallDuration;
  const { probes, recovery } = rule(scenes.slow.runs, detection, 3_000);
  return { detection, firstRefusal, wasted: sent + probes, recovery };
}

const blip = inRow(scenes.blip);

/** Five failures in a row come by chance every so many calls; each probe fails by the same chance. */
function noise(share: number): Limits {
  const calls = (1 - share ** 5) / ((1 - share) * share ** 5);
  const openFor = cooldown(0) / (1 - 2 * share) + answerMs / (1 - share);
  return { refused: openFor / (calls * every + openFor) };
}

/** For each scene the same for all settings, or one for each. */
export const limits: Partial<Record<SceneName, Limits | Record<GuardName, Limits>>> = {
  hard: inRow(scenes.hard),
  slow: {
    default: overdue(3_000, 3_080 / every, 3_080),
    slow: overdue(1_000, 1_080 / every, 1_080),
    recommended: { ...overdue(1_000, 25, 500), peak: 25 },
  },
  blip: { ...blip, refusedHealthy: ((blip.recovery ?? 0) - every) / scenes.blip.after },
  // The first cooldowns are over before the next call: which one is refused first, no rule says.
  rare: { ...inRow(scenes.rare), firstRefusal: undefined },
  noise2: noise(0.02),
  noise20: noise(0.2),
};

export function limitOf(scene: SceneName, guard: GuardName): Limits | undefined {
  const found = limits[scene];
  return found && 'default' in found ? found[guard] : found;
}
