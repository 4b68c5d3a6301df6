import axios, { type AxiosRequestConfig } from 'axios';
import fc from 'fast-check';
import { CircuitBreakerWithEmitter } from '../src/index.js';
import { ManualClock } from '../src/testing/index.js';
import { runScript } from './support/run-script.js';

const maxKeys = 1_000;

/** What a host does: most answer, some are down, and some never answer. */
const host = fc.record({
  id: fc.integer({ min: 0, max: 99_999 }),
  is: fc.constantFrom(...Array.from({ length: 48 }, () => 'up'), 'down', 'silent'),
  waits: fc.constantFrom(0, 0, 0, 40),
});

describe('ten thousand hosts, and room for a thousand circuits', () => {
  it('leave a thousand, none of which went while it was open, half-open or busy', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(host, { minLength: 10_000, maxLength: 10_000 }), async (hosts) => {
        const clock = new ManualClock();
        const busy = new Set<string>();
        const away = new Set<string>();
        const adapter = (config: AxiosRequestConfig) => {
          const { hostname } = new URL(String(config.url));
          if (hostname.startsWith('silent')) {
            busy.add(`http://${hostname}`);
            return new Promise(() => undefined);
          }
          const status = hostname.startsWith('down') ? 503 : 200;
          return Promise.resolve({ status, statusText: '', headers: {}, data: '', config });
        };
        const client = axios.create({ adapter: adapter as never });
        const breaker = new CircuitBreakerWithEmitter(client, {
          key: 'origin',
          maxKeys,
          clock,
          consecutiveFailures: 1,
          cooldown: 1_000,
        });
        breaker.on('OPEN', ({ key }) => away.add(key));
        breaker.on('CLOSE', ({ key }) => away.delete(key));

        let most = 0;
        for (const [index, { id, is, waits }] of hosts.entries()) {
          void client.get(`http://${is}-${id}/`).catch(() => undefined);
          await Promise.resolve();
          clock.advance(waits);
          if (index % 500 !== 0) continue;
          await new Promise((resolve) => setImmediate(resolve));
          const kept = new Set(breaker.keys());
          most = Math.max(most, kept.size);
          for (const key of [...busy, ...away]) expect(kept).toContain(key);
        }
        expect(most).toBe(maxKeys);
        expect(Math.min(busy.size, away.size)).toBeGreaterThan(20);
      }),
      { numRuns: 1 },
    );
  }, 60_000);

  it('take little memory each while they are idle', async () => {
    const { circuits, bytesEach } = await runScript<{ circuits: number; bytesEach: number }>(
      'circuits-script.ts',
      [],
      ['--expose-gc'],
    );
    console.info(`An idle circuit takes ${bytesEach} bytes`);
    expect(circuits).toBe(10_000);
    expect(bytesEach).toBeGreaterThan(500);
    expect(bytesEach).toBeLessThan(850);
  });
});
