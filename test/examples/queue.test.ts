import { needs } from '../support/needs.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';
import { runExample } from './run-example.js';

needs('redis-server')('the example of a durable queue', () => {
  let redis: RedisServer;
  let lines: string[];
  let example: Awaited<ReturnType<typeof runExample>>;
  beforeAll(async () => {
    redis = await startRedisServer();
    example = await runExample('queue', redis.url);
    lines = example.stdout.trimEnd().split('\n');
  });
  afterAll(() => redis.stop());

  const at = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line));

  it('ends by itself, with exit code 0 and no complaint', () => {
    expect(example).toMatchObject({ code: 0, stderr: '' });
  });

  it('gives every order a place in the queue, and leaves the API alone from the third on', () => {
    const waiting = lines.filter((line) => line.startsWith('order'));
    expect(waiting).toEqual(
      waiting.map((_line, index) => `order ${index + 1}   waits as job ${index + 1}`),
    );
    expect(waiting).toHaveLength(8);
    expect(at(/OPEN/)).toBe(at(/^order 3/) - 1);
  });

  it('sends each order once, when the API is well again', () => {
    const sent = lines.flatMap((line) => /order (\d) sent at last$/.exec(line)?.[1] ?? []);
    expect([...sent].sort()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    expect(at(/sent at last/)).toBeGreaterThan(at(/CLOSE/));
    expect(lines.at(-1)).toBe("By the API's own count, 8 of 8 orders arrived, 0 twice.");
  });
});
