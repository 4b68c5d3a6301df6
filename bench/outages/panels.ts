import type { Panel } from '../report/chart.js';
import { count, duration, percent } from '../report/formats.js';
import type { Figures } from './figures.js';
import type { SceneName } from './scenes.js';

type Figure = keyof Figures;

const shown: readonly [string, SceneName, Figure, (value: number | undefined) => string][] = [
  ['Refused connections, 98 s: calls sent into it, of 4,900', 'hard', 'wasted', count],
  ['8 s instead of 80 ms, 60 s: calls sent into it, of 3,000', 'slow', 'wasted', count],
  ['Refused connections, 98 s: detected after', 'hard', 'detection', duration],
  ['8 s instead of 80 ms: most requests in flight', 'slow', 'peak', count],
  ['A blip of 1 s: healthy calls refused', 'blip', 'refusedHealthy', percent],
  ['20 % errors, always: calls refused', 'noise20', 'refused', percent],
];

/** The figures of the chart; a client without a breaker would dwarf all bars. */
export function panels(all: ReadonlyMap<SceneName, ReadonlyMap<string, Figures>>): Panel[] {
  return shown.map(([title, scene, figure, write]) => ({
    title,
    bars: [...(all.get(scene) ?? [])]
      .filter(([system]) => system !== 'axios alone')
      .map(([label, figures]) => {
        const value = figures[figure];
        return { label, value, text: value === undefined ? 'never' : write(value) };
      }),
  }));
}
