/** Prints what each breaker gets from a rate limiter, in virtual time, and draws it for the docs. */
import { writeFileSync } from 'node:fs';
import { chart, type Panel } from '../report/chart.js';
import { count, percent } from '../report/formats.js';
import { table } from '../report/table.js';
import { fewestRefused } from './bounds.js';
import { limiters, type LimiterName } from './limiters.js';
import { offer } from './offer.js';
import { guards, peers, type GuardName } from './systems.js';
import { leastGoodput, targets } from './targets.js';

const crowd = 8;
const guardNames = Object.keys(guards) as GuardName[];
const got = new Map<string, Awaited<ReturnType<typeof offer>>>();
const panels: Panel[] = [];
for (const name of Object.keys(limiters) as LimiterName[]) {
  const rows: string[][] = [];
  const bars: Panel['bars'][number][] = [];
  for (const system of [...peers, ...Object.values(guards)]) {
    const alone = await offer(limiters[name], system, 1);
    const together = await offer(limiters[name], system, crowd);
    got.set(`${name} ${system.name}`, alone);
    const cells = [alone, together].flatMap(({ goodput, refusedPer1000 }) => [
      percent(goodput),
      count(refusedPer1000),
    ]);
    rows.push([system.name, ...cells]);
    const guard = guardNames.find((key) => guards[key] === system);
    if (guard) rows.push(['– by rule', '100 %', count(fewestRefused(name, guard)), '100 %', '–']);
    const { refusedPer1000: value } = alone;
    if (system.name !== 'axios alone') {
      const goodput = `${Math.round(alone.goodput * 100)} %`;
      bars.push({ label: system.name, value, text: `${count(value)}, ${goodput}` });
    }
  }
  const head = ['', '1 process: goodput', 'refused per 1,000'];
  const title = limiters[name].name;
  console.log(
    `\n### ${title}\n\n${table([...head, '8 processes: goodput', 'refused per 1,000'], rows)}`,
  );
  // Who does not stop meets thousands of refusals there: no bar could show the others.
  if (name !== 'strict') panels.push({ title, bars });
}

const targetRows = targets.map(({ limiter, guard, refusedPer1000: atMost }) => {
  const { goodput = 0, refusedPer1000 = NaN } = got.get(`${limiter} ${guards[guard].name}`) ?? {};
  const isMet = refusedPer1000 <= atMost && goodput >= leastGoodput;
  const what = `${limiters[limiter].name}: ${guards[guard].name}`;
  return [
    what,
    percent(goodput),
    count(refusedPer1000),
    `≤ ${atMost}`,
    count(fewestRefused(limiter, guard)),
    isMet ? 'met' : 'missed',
  ];
});
const targetHead = ['1 process', `goodput (≥ ${percent(leastGoodput)})`, 'refused per 1,000'];
console.log(`\n### Targets\n\n${table([...targetHead, 'target', 'by rule', ''], targetRows)}`);
const picture = chart({
  title: 'Rate limits: calls refused by the server, for 1,000 that it served',
  subtitle:
    'One process asks for half more than the quota. Behind each figure: share of the quota.',
  panels,
});
writeFileSync(new URL('../../docs/bench-limits.svg', import.meta.url), picture);
