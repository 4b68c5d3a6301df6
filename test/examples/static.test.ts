import { runExample } from './run-example.js';

it('the example of feature flags takes the safe ones while the server is down', async () => {
  const { stdout, stderr, code } = await runExample('static');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout.split('\n').slice(2)).toEqual([
    'visitor 1: new checkout, dark (server)',
    'visitor 2: old checkout, light (static)',
    '   -- OPEN: nobody asks the server any more',
    'visitor 3: old checkout, light (static)',
    'visitor 4: old checkout, light (static)',
    'visitor 5: old checkout, light (static)',
    'visitor 6: old checkout, light (static)',
    '',
    'No visitor met an error, and the server was asked 3 times for 6.',
    '',
  ]);
}, 30_000);
