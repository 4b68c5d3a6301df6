/** Prints what a breaker costs while all is well, in real time: that of the processor. Takes some minutes. */
import { table } from '../report/table.js';
import { compileWorker, doAlone } from './crew.js';
import { perRound, ratioOfMedians, spread, takeRounds, type Spread } from './rounds.js';
import { closed, keyed, refusing } from './subjects.js';

const rounds = 21;
const bare = 'axios alone';
const pair = 'no-op interceptor pair';
const rejecting = 'axios, rejecting adapter';
const guard = 'circuit-guard';
const timed = 'circuit-guard, requestTimeout 3 s';

const show = ({ median, low, high }: Spread, digits: number) =>
  `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
const written = (values: readonly number[], digits: number) => show(spread(values), digits);
const seen: string[][] = [];

await compileWorker();

const calls = await takeRounds(Object.keys(closed), rounds);
const over = (name: string) => perRound(calls, [name, bare], (ns = NaN, base = NaN) => ns - base);
const times = (name: string, other: string) => show(ratioOfMedians(over(name), over(other)), 2);
const whole = (name: string, other: string) =>
  perRound(calls, [name, other], (a = NaN, b = NaN) => a / b);
const callRows = Object.keys(closed).map((name) => [
  name,
  written(calls.get(name) ?? [], 0),
  written(over(name), 0),
  name === bare ? '–' : times(name, pair),
  written(whole(name, pair), 2),
]);
console.log(`\nNode ${process.version}\n\n### One call, all is well\n`);
console.log(
  table(
    ['', 'ns', 'ns over axios alone', '× that of the no-op pair', 'ns: × the no-op pair'],
    callRows,
  ),
);
seen.push(
  ['closed, over bare: × the no-op pair', times(guard, pair), '≤ 1.2'],
  ['closed, over bare: × opossum', times(guard, 'opossum'), '< 1'],
  ['by origin, over bare: × the no-op pair', times(`${guard}, by origin`, pair), '≤ 1.6'],
  ['with requestTimeout, ns over bare', written(over(timed), 0), '≤ 4000'],
  [
    'with requestTimeout: × cockatiel with timeout',
    times(timed, 'cockatiel, timeout 3 s'),
    '≤ 0.25',
  ],
);

const refusals = await takeRounds(Object.keys(refusing), rounds);
const overRejection = (name: string) =>
  perRound(refusals, [name, rejecting], (ns = NaN, base = NaN) => ns / base);
const refusalRows = Object.keys(refusing).map((name) => [
  name,
  written(refusals.get(name) ?? [], 0),
  written(overRejection(name), 2),
]);
console.log('\n### One refusal\n');
console.log(table(['', 'ns', '× a rejection'], refusalRows));
seen.push(['one refusal: × a rejection', written(overRejection(`${guard}, open`), 2), '≤ 1.15']);

const remembering = [bare, 'opossum', 'cockatiel', guard];
const kept = new Map<string, number>();
for (const name of remembering) {
  kept.set(name, await doAlone(name, { kind: 'heap', count: 1_000_000 }));
}
const grown = await Promise.all(
  remembering.map((name) => doAlone(name, { kind: 'rss', ms: 60_000 })),
);
const memoryRows = remembering.map((name, index) => [
  name,
  (kept.get(name) ?? NaN).toFixed(2),
  ((grown[index] ?? NaN) / 2 ** 20).toFixed(1),
]);
seen.push(['heap kept per request, bytes', (kept.get(guard) ?? NaN).toFixed(2), '0 (noise)']);
console.log('\n### Memory\n');
console.log(
  table(['', 'bytes per call, of 1,000,000', 'growth of RSS over a minute, MiB'], memoryRows),
);

const keys: string[][] = [];
for (const name of Object.keys(keyed)) {
  // So many timers of opossum's would be a bench of timers.
  const count = name === 'opossum' ? 10_000 : 100_000;
  const bytes = await doAlone(name, { kind: 'keys', count });
  keys.push([name, String(count), bytes.toFixed(0)]);
  if (name.startsWith(guard)) seen.push(['bytes per idle key', bytes.toFixed(0), '≤ 700']);
}
console.log(`\n### Idle keys\n\n${table(['', 'keys', 'bytes per key'], keys)}`);
console.log(`\n### Targets\n\n${table(['', 'seen', 'target'], seen)}`);
