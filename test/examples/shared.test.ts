import { needs } from '../support/needs.js';
import { startRedisServer } from '../support/redis-server.js';
import { runExample } from './run-example.js';

needs('redis-server')('the example of shared state', () => {
  it('lets one process meet the 429, and all three rest', async () => {
    const redis = await startRedisServer();
    const { stdout, stderr, code } = await runExample('shared', redis.url);
    await redis.stop();
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const lines = stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, ' | '));
    expect(lines.slice(0, 5)).toEqual([
      'Three processes call one API with one key, which allows two requests and then says 429.',
      '',
      'process 1 | asks: | 200',
      'process 2 | asks: | 200',
      'process 3 | OPEN (rate-limit)',
    ]);
    const times = (line: string) => lines.filter((other) => other === line).length;
    expect(lines).toContain('process 3 | asks: | Request failed with status code 429');
    for (const number of [1, 2]) {
      expect(times(`process ${number} | OPEN (shared)`)).toBe(1);
      expect(times(`process ${number} | asks: | refused, try again in 2 s`)).toBe(1);
    }
    for (const number of [1, 2, 3]) {
      expect(times(`process ${number} | CLOSE (cooldown-elapsed)`)).toBe(1);
    }
    expect(lines.slice(-2)).toEqual(['Eight requests, 6 reached the API, one 429.', '']);
  }, 60_000);
});
