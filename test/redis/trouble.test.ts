import { setTimeout as wait } from 'node:timers/promises';
import { needs } from '../support/needs.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { kinds, type Kind } from '../support/redis-clients.js';
import { beyond, figuresOf, runThrough, type Course } from '../support/trouble-course.js';
import { troubles } from '../support/troubles.js';

jest.setTimeout(90_000);

const cases = Object.keys(troubles).flatMap((trouble) =>
  kinds.map((kind) => [trouble, kind] as const),
);

/** How many troubles may happen side by side. */
const atOnce = 5;

/** What a breaker does that shares nothing. */
const alone = [
  'OPEN consecutive',
  'HALF_OPEN',
  'OPEN probe-failed',
  'HALF_OPEN',
  'CLOSE probes-passed',
];

needs('redis-server')('while Redis is in trouble', () => {
  const courses = new Map<string, Course>();
  const printed: unknown[][] = [];
  expectQuietProcess();

  beforeAll(async () => {
    for (const method of ['log', 'info', 'warn', 'error'] as const) {
      jest.spyOn(console, method).mockImplementation((...line) => void printed.push(line));
    }
    const rest = [...cases];
    const work = async () => {
      for (let next = rest.shift(); next; next = rest.shift()) {
        const [trouble, kind] = next;
        const cause = troubles[trouble];
        if (cause) courses.set(next.join(' '), await runThrough(kind, cause));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    // For what comes late.
    await wait(500);
    jest.restoreAllMocks();
    console.info(table(courses));
  });

  const courseOf = (trouble: string, kind: Kind): Course => {
    const course = courses.get(`${trouble} ${kind}`);
    if (!course) throw new Error('It was not run');
    return course;
  };

  describe.each(cases)('%s, with %s', (trouble, kind) => {
    it('opens, refuses, probes and closes as alone', () => {
      const { sharing, control, bystander } = courseOf(trouble, kind);
      expect(control.told).toEqual(alone);
      expect(sharing.told).toEqual(alone);
      expect(bystander.told).toEqual([]);
    });

    it('fails no request, and lets none wait for longer than 100 ms', () => {
      const { sharing, control, bystander, timer } = courseOf(trouble, kind);
      expect(sharing.errors).toEqual(control.errors);
      expect(bystander.errors).toEqual([]);
      expect(figuresOf(beyond(sharing, control)).p50).toBeLessThan(5);
      // However late a busy machine is: that late it is for a timer, too.
      expect(figuresOf(beyond(sharing, timer)).max).toBeLessThan(100);
      expect(figuresOf(beyond(bystander, control)).p50).toBeLessThan(5);
    });

    it('tells of it once, and shares again by itself', () => {
      const { faults, resumedMs } = courseOf(trouble, kind);
      for (const told of faults) expect(['', 'shared']).toContain(told.join());
      expect(resumedMs).toBeLessThan(20_000);
    });
  });

  it('prints nothing', () => {
    expect(printed).toEqual([]);
  });
});

/** For each: p50, p99 and max of the waits in ms. */
function table(courses: Map<string, Course>): string {
  const lines = [...courses].map(([name, course]) => {
    const { sharing, control, timer, resumedMs } = course;
    return [
      name.padEnd(48),
      `${sharing.waits.length} requests waited ${show(sharing.waits)}`,
      `alone ${show(control.waits)}`,
      `added ${show(beyond(sharing, control))}`,
      `beyond a timer of 100 ms ${show(beyond(sharing, timer))}`,
      `shares again after ${Math.round(resumedMs)} ms`,
    ].join(' | ');
  });
  return lines.join('\n');
}

function show(waits: readonly number[]): string {
  const { p50, p99, max } = figuresOf(waits);
  return [p50, p99, max].map((ms) => ms.toFixed(1)).join(' / ');
}
