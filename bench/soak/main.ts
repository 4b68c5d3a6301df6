/**
 * Sends mixed traffic for ten minutes, or for as many seconds as its argument says, and prints what came
 * of it. Ends with exit code 1 where anything did not add up, grew, or was left.
 */
import { table } from '../report/table.js';
import { soakAlone } from './process.js';

const seconds = Number(process.argv[2] ?? 600);
const soaked = await soakAlone({ seconds, rounds: 20, perSecond: 5_000, seed: 1 });
const { heap, left, problems, perSecond, ...counts } = soaked;
/** What warms up grows, too: a leak of one byte a call would not be seen, one of ten would. */
const mostGrown = 4 * 2 ** 20;
const grown = (heap.at(-1) ?? NaN) - (heap[1] ?? NaN);
const mib = (bytes = NaN) => (bytes / 2 ** 20).toFixed(2);
const rows = [
  ...Object.entries(counts).map(([name, count]) => [name, String(count)]),
  ['calls per second', perSecond.toFixed(0)],
  ['heap at first, MiB', mib(heap[1])],
  ['heap in the middle, MiB', mib(heap[heap.length / 2])],
  ['heap at the end, MiB', mib(heap.at(-1))],
  ['bytes it grew per call', (grown / soaked.calls).toFixed(2)],
  ['left', left.join(', ') || 'nothing'],
  ['problems', problems.join(', ') || 'none'],
];
console.log(table(['', 'seen'], rows));
process.exitCode = left.length + problems.length > 0 || grown > mostGrown ? 1 : 0;
