import { runExample } from './run-example.js';

describe('the example of serveStale', () => {
  it('asks a catalogue, and still gets it when the server is gone, marked with its age', async () => {
    const { stdout, stderr, code } = await runExample('stale');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const lines = stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, ' | '));
    expect(lines).toEqual([
      'A shop asks its server for the catalogue, and the server goes down.',
      '',
      '0:00 | /catalogue | tea, coffee, cocoa (fresh)',
      '0:00 | /basket for Alice | tea for Alice (fresh)',
      '12:00 | the server is down',
      '12:00 | /catalogue | no answer',
      '12:10 | /catalogue | no answer',
      '12:20 | the breaker opens (consecutive)',
      '12:20 | /catalogue | no answer',
      '12:30 | /catalogue | tea, coffee, cocoa (stale: 750 s old)',
      '12:30 | /basket for Alice | tea for Alice (stale: 750 s old)',
      '12:30 | /basket for Bob | refused: nothing is kept for that',
      '',
    ]);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  }, 30_000);
});
