import { getEventListeners, setMaxListeners } from 'node:events';
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../virtual/random.js';
import { answer } from './answering.js';
import { call, command, visit, type Shared } from './callers.js';
import { HeldTimers } from './held-timers.js';
import { startReal } from './real.js';
import { createSubject, settings, type Subject } from './subjects.js';

export interface SoakOptions {
  readonly seconds: number;
  /** Traffic comes to rest after each, and all is counted. */
  readonly rounds: number;
  /** Calls that are wanted; a slow machine gives fewer. */
  readonly perSecond: number;
  readonly seed: number;
}

export interface Soaked {
  readonly calls: number;
  /** Of them, those over real sockets. */
  readonly real: number;
  readonly fulfilled: number;
  /** While traffic flowed. */
  readonly perSecond: number;
  readonly asked: number;
  readonly admitted: number;
  readonly refused: number;
  readonly opened: number;
  readonly closed: number;
  /** Bytes in use at the end of each round, at rest. */
  readonly heap: readonly number[];
  /** What is left once all is taken down: what would keep the process alive, timers, listeners. */
  readonly left: readonly string[];
  /** What did not add up, or was complained of. */
  readonly problems: readonly string[];
}

/** So many at most are under way: a slow machine must not pile them up. */
const mostUnderWay = 2_000;
/** So many at most are sent in one tick. */
const mostAtOnce = 250;
/** One call of so many goes over a real socket. */
const realShare = 20;

const alarms = ['warning', 'unhandledRejection', 'uncaughtException'] as const;

/** Mixed traffic over breakers of every kind, for a while. Tells how it goes after each round. */
export async function soak(options: SoakOptions, tell: (line: string) => void): Promise<Soaked> {
  const { seconds, rounds, perSecond, seed } = options;
  const problems: string[] = [];
  const hear = (alarm: unknown) => void problems.push(String(alarm));
  for (const alarm of alarms) process.on(alarm as 'warning', hear);
  // They become resources when they are first used.
  for (const stream of [process.stdout, process.stderr]) stream.write('');
  const resources = process.getActiveResourcesInfo();

  const clock = new HeldTimers();
  const random = randomFrom(seed);
  const stopped = new AbortController();
  // All calls under way may listen to it, by axios as by the breaker.
  setMaxListeners(0, stopped.signal);
  const shared: Shared = { seed, random, signal: stopped.signal };
  const onFault = (error: unknown, source: string) => {
    if (!source.startsWith('listener:')) problems.push(`${source}: ${String(error)}`);
  };
  const fast = settings.map((one) => createSubject({ ...one, clock, onFault }, answer));
  const real = await startReal({ clock, onFault });
  const subjects = [...fast, ...real.subjects];

  const tally = { calls: 0, real: 0, fulfilled: 0 };
  const heap: number[] = [];
  let underWay = 0;
  for (let round = 1; round <= rounds; round += 1) {
    await send((seconds * 1_000) / rounds);
    await rest();
    // A breaker that has lost them would have the same to say after each further round.
    if (underWay > 0) break;
    problems.push(...subjects.flatMap(({ witness, breaker }) => witness.problems(breaker)));
    const bytes = await bytesInUse();
    heap.push(bytes);
    tell(`round ${round} of ${rounds}: ${tally.calls} calls, ${bytes} bytes in use`);
  }

  if (underWay > 0) problems.push(`${underWay} calls have not ended`);
  const figures = figuresOf(subjects);
  for (const { breaker } of subjects) breaker.detach();
  await real.stop();
  const left = await leftovers();
  for (const alarm of alarms) process.off(alarm, hear);
  return { ...tally, perSecond: tally.calls / seconds, ...figures, heap, left, problems };

  async function send(ms: number): Promise<void> {
    const start = performance.now();
    let sent = 0;
    for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - start) {
      const due = Math.floor((elapsed * perSecond) / 1_000);
      const end = Math.min(due, sent + mostAtOnce);
      for (; sent < end && underWay < mostUnderWay; sent += 1) sendOne();
      // What a slow machine could not send in time is not caught up with.
      sent = Math.max(sent, due - mostAtOnce);
      await sleep(1);
    }
  }

  function sendOne(): void {
    const isReal = tally.calls % realShare === 0;
    const among = isReal ? real.subjects : fast;
    const subject = among[Math.floor(random() * among.length)];
    if (subject === undefined) return;
    tally.calls += 1;
    if (isReal) tally.real += 1;
    underWay += 1;
    void call(subject, shared).then((isFulfilled) => {
      underWay -= 1;
      if (isFulfilled) tally.fulfilled += 1;
    });
    if (random() < 0.01) visit(subject, shared);
    if (random() < 0.001) command(subject, shared);
  }

  /** Until every call has ended, the slowest of which takes less than a second. */
  async function rest(): Promise<void> {
    const start = performance.now();
    while (underWay > 0 && performance.now() - start < 30_000) await sleep(10);
    // Listeners that are to go, commands that are to be taken back, exchanges that nobody waits for.
    await sleep(200);
  }

  async function leftovers(): Promise<string[]> {
    const start = performance.now();
    const find = () => [
      ...resourcesBeyond(resources),
      ...(clock.count > 0 ? [`${clock.count} timers of breakers`] : []),
      ...getEventListeners(stopped.signal, 'abort').map(() => 'a listener of the shared signal'),
    ];
    while (find().length > 0 && performance.now() - start < 10_000) {
      // Not by a timer, which would be one of the resources.
      await nextRound();
    }
    return find();
  }
}

function figuresOf(subjects: readonly Subject[]) {
  const sum = (figure: (subject: Subject) => number) =>
    subjects.reduce((total, subject) => total + figure(subject), 0);
  return {
    asked: sum(({ witness }) => witness.asked),
    admitted: sum(({ breaker }) => breaker.snapshot().counts.admitted),
    refused: sum(({ breaker }) => breaker.snapshot().counts.refused),
    opened: sum(({ witness }) => witness.told.OPEN),
    closed: sum(({ witness }) => witness.told.CLOSE),
  };
}

async function bytesInUse(): Promise<number> {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await nextRound();
  }
  return process.memoryUsage().heapUsed;
}

/** What keeps the process alive that did not before. */
function resourcesBeyond(before: readonly string[]): string[] {
  const rest = [...before];
  return process.getActiveResourcesInfo().filter((resource) => {
    const index = rest.indexOf(resource);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}
