import type { CircuitCounts, CircuitState } from '../../../src/index.js';
import { startTestServer, type TestServer } from '../../../test-server/start.js';
import { describeIf, isLatestAxios } from '../../support/axios-version.js';
import { runScript } from '../../support/run-script.js';
import { counts } from '../../support/watch.js';

interface Ended {
  readonly state: CircuitState;
  readonly counts: CircuitCounts;
  readonly idleMs: number;
}

const tasks = [
  { task: 'attach', title: 'after attaching only', end: { state: 'closed', counts: counts({}) } },
  {
    task: 'open',
    title: 'while the circuit is open for another minute',
    end: { state: 'open', counts: counts({ admitted: 5, failure: 5, opened: 1 }) },
  },
  {
    task: 'succeed',
    title: 'after a success',
    end: { state: 'closed', counts: counts({ admitted: 1, success: 1 }) },
  },
  {
    task: 'succeed-in-time',
    title: 'after a success that had 30 s to come',
    end: { state: 'closed', counts: counts({ admitted: 1, success: 1 }) },
  },
  {
    task: 'probe',
    title: 'after a probe',
    end: {
      state: 'closed',
      counts: counts({ admitted: 6, failure: 5, success: 1, opened: 1 }),
    },
  },
  {
    task: 'hold',
    title: 'once a request that was held has its answer, and no sooner',
    end: {
      state: 'closed',
      counts: counts({ admitted: 6, failure: 5, success: 1, opened: 1 }),
    },
  },
  {
    task: 'refuse',
    title: 'after a refused call',
    end: { state: 'open', counts: counts({ admitted: 5, failure: 5, opened: 1, refused: 1 }) },
  },
];

// The programs import axios by themselves, the installed one: once is enough.
describeIf(isLatestAxios)('F2 · The process can exit', () => {
  let server: TestServer;
  const ends = new Map<string, Promise<Ended>>();

  // All at once: to start is the slow part.
  beforeAll(async () => {
    server = await startTestServer();
    for (const { task } of tasks) ends.set(task, runScript('exit-script.ts', [task, server.url]));
    await Promise.allSettled(ends.values());
  }, 30_000);
  afterAll(() => server.close());

  it.each(tasks)('within a second, by itself, $title', async ({ task, end }) => {
    const ended = await ends.get(task);
    expect(ended).toMatchObject(end);
    expect(ended?.idleMs).toBeLessThan(1_000);
  });
});
