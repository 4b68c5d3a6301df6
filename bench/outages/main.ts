/** Prints what each breaker makes of an outage, in virtual time, and draws it for the docs. */
import { writeFileSync } from 'node:fs';
import { chart } from '../report/chart.js';
import { measure, type Figures } from './figures.js';
import { panels } from './panels.js';
import { scenes, type SceneName } from './scenes.js';
import { guards, peers } from './systems.js';
import { sceneTable, targetTable } from './tables.js';

const figures = new Map<SceneName, Map<string, Figures>>();
for (const name of Object.keys(scenes) as SceneName[]) {
  const found = new Map<string, Figures>();
  for (const system of [...peers, ...Object.values(guards)]) {
    found.set(system.name, await measure(scenes[name], system));
  }
  figures.set(name, found);
  console.log(`\n### ${scenes[name].name}\n\n${sceneTable(name, found)}`);
}
console.log(`\n### Targets\n\n${targetTable(figures)}`);
const picture = chart({
  title: 'Outages: what each breaker makes of them',
  subtitle: '50 calls a second, 200 workers, a deadline of 3 s. Less is better everywhere.',
  panels: panels(figures),
});
writeFileSync(new URL('../../docs/bench-outages.svg', import.meta.url), picture);
