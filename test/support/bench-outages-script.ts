/**
 * A whole program that measures what the outages of the bench have targets for, in virtual time, and
 * prints it; and one scene three times: with one seed, the same again, and another.
 */
import { measure, type Figures } from '../../bench/outages/figures.js';
import { scenes } from '../../bench/outages/scenes.js';
import { guards } from '../../bench/outages/systems.js';
import { targets } from '../../bench/outages/targets.js';

const measured = new Map<string, Figures>();
const seen: (number | null)[] = [];
for (const { scene, guard, figure } of targets) {
  const name = `${scene} ${guard}`;
  const figures = measured.get(name) ?? (await measure(scenes[scene], guards[guard]));
  measured.set(name, figures);
  seen.push(figures[figure] ?? null);
}

const repeated: Figures[] = [];
for (const seed of [1, 1, 2]) {
  repeated.push(await measure(scenes.half, guards.default, [{ seed, sickFor: 20_000 }]));
}
console.log(JSON.stringify({ seen, repeated }));
