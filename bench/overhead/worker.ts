/** Measures one system in a process of its own, as told by its parent. Run it with --expose-gc. */
import { closed, keyed, refusing, type Send } from './subjects.js';

export type Task =
  | { readonly kind: 'calls'; readonly count: number }
  | { readonly kind: 'heap'; readonly count: number }
  | { readonly kind: 'keys'; readonly count: number }
  | { readonly kind: 'rss'; readonly ms: number };

const name = process.argv[2] ?? '';
const url = 'https://api.example.com/orders';
const systems: Record<string, () => Send> = { ...closed, ...refusing };
const send = systems[name]?.();

async function call(count: number): Promise<void> {
  if (!send) throw new Error(`No system named ${name}`);
  for (let calls = 0; calls < count; calls += 1) {
    try {
      await send(url);
    } catch {
      // A refusal costs what it costs.
    }
  }
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** ns per call, of processor time: a busy machine takes away the time between. */
async function time(count: number): Promise<number> {
  const start = process.cpuUsage();
  await call(count);
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1_000) / count;
}

/** Bytes that stay on the heap, per call. */
async function keep(count: number): Promise<number> {
  await call(count / 10);
  const before = heapUsed();
  await call(count);
  return (heapUsed() - before) / count;
}

/** Bytes that stay on the heap, per key. */
async function keepKeys(count: number): Promise<number> {
  const make: Record<string, (keys: string[]) => Promise<unknown>> = keyed;
  await make[name]?.([url]);
  const keys = Array.from({ length: count }, (_, index) => `https://host-${index}.example.com/`);
  const before = heapUsed();
  const kept = await make[name]?.(keys);
  const bytes = (heapUsed() - before) / keys.length;
  return kept === undefined ? NaN : bytes;
}

/** By how many bytes the process grows from the tenth part of that time to its end. */
async function grow(ms: number): Promise<number> {
  const start = Date.now();
  let before = NaN;
  while (Date.now() - start < ms) {
    await call(500);
    await new Promise((resolve) => setImmediate(resolve));
    if (before !== before && Date.now() - start > ms / 10) before = process.memoryUsage().rss;
  }
  return process.memoryUsage().rss - before;
}

const perform = (task: Task): Promise<number> => {
  if (task.kind === 'calls') return time(task.count);
  if (task.kind === 'heap') return keep(task.count);
  if (task.kind === 'keys') return keepKeys(task.count);
  return grow(task.ms);
};

process.on('message', (task: Task) => void perform(task).then((figure) => process.send?.(figure)));
