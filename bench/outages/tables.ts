import { count, duration, percent } from '../report/formats.js';
import { table } from '../report/table.js';
import type { Figures } from './figures.js';
import { limitOf } from './limits.js';
import { scenes, type SceneName } from './scenes.js';
import { guards, type GuardName } from './systems.js';
import { targets } from './targets.js';

type Column = readonly [
  head: string,
  figure: keyof Figures,
  write: (value: number | undefined) => string,
];

const outage: readonly Column[] = [
  ['calls sent into it', 'wasted', count],
  ['detected after', 'detection', duration],
  ['first refusal after', 'firstRefusal', duration],
  ['normal after', 'recovery', duration],
  ['healthy calls refused', 'refusedHealthy', percent],
  ['peak in flight', 'peak', count],
  ['caller p50', 'p50', duration],
  ['caller p99', 'p99', duration],
];

const noise: readonly Column[] = [
  ['calls refused', 'refused', percent],
  ['opens after', 'detection', duration],
  ['peak in flight', 'peak', count],
  ['caller p50', 'p50', duration],
  ['caller p99', 'p99', duration],
];

/** One row for each system; below each of ours, what its rule comes to by arithmetic. */
export function sceneTable(name: SceneName, figures: ReadonlyMap<string, Figures>): string {
  const columns = scenes[name].after === 0 ? noise : outage;
  const cells = (values: Partial<Figures>) =>
    columns.map(([, figure, write]) => write(values[figure]));
  const rows = [...figures].flatMap(([system, values]) => {
    const limit = limitOfSystem(name, system);
    const row = [system, ...cells(values)];
    return limit ? [row, ['– by rule', ...cells(limit)]] : [row];
  });
  return table(['', ...columns.map(([head]) => head)], rows);
}

export function targetTable(all: ReadonlyMap<SceneName, ReadonlyMap<string, Figures>>): string {
  const rows = targets.map(({ scene, guard, figure, atMost, write }) => {
    const system = guards[guard].name;
    const value = all.get(scene)?.get(system)?.[figure];
    const isMet = value !== undefined && value <= atMost;
    const limit = write(limitOf(scene, guard)?.[figure]);
    const what = `${scenes[scene].name}: ${figure} (${system})`;
    return [what, write(value), `≤ ${write(atMost)}`, limit, isMet ? 'met' : 'missed'];
  });
  return table(['', 'seen', 'target', 'by rule', ''], rows);
}

function limitOfSystem(scene: SceneName, system: string): Partial<Figures> | undefined {
  const guard = (Object.keys(guards) as GuardName[]).find((key) => guards[key].name === system);
  return guard && limitOf(scene, guard);
}
