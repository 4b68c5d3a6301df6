import { runExample } from './run-example.js';

it('the example of a second server answers from it while the first one is down', async () => {
  const { stdout, stderr, code } = await runExample('degrade');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });

  const steps = [...stdout.matchAll(/^.+\((first|second)\)$|-- (OPEN|CLOSE)/gm)];
  const course = steps.map(([, server, event]) => server ?? event).join(' ');
  expect(course).toMatch(/^first first second second OPEN( second)+ CLOSE( first)+$/);

  const asked = (server: string) => course.split(' ').filter((name) => name === server).length;
  expect(asked('first') + asked('second')).toBe(12);
  // The three failures, too.
  const counted = `the first server ${asked('first') + 3} times, the second ${asked('second')} times.`;
  expect(stdout).toContain(`By their own count they were asked:\n${counted}\n`);
}, 30_000);
