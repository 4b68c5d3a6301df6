import { setImmediate as nextRound } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';

/** Jest gives its tests a copy of `process`, which hears nothing: this is the one that Node tells. */
const realProcess = runInThisContext('process') as NodeJS.Process;

const alarms = ['unhandledRejection', 'uncaughtException', 'warning'] as const;

/** Fails each test of the file during which the process warned, or an error reached nobody. */
export function expectQuietProcess(): void {
  const heard: unknown[] = [];
  const hear = (alarm: unknown) => {
    // Jest's own, about what it calls itself.
    if (!String((alarm as { code?: unknown } | null)?.code).startsWith('JEST-')) heard.push(alarm);
  };

  beforeEach(() => {
    for (const alarm of alarms) realProcess.on(alarm as 'warning', hear);
  });

  afterEach(async () => {
    // A rejection is called unhandled, and a warning is told, only once this round is over.
    await nextRound();
    for (const alarm of alarms) realProcess.off(alarm, hear);
    expect(heard.splice(0)).toEqual([]);
  });
}
