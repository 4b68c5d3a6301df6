import axios from 'axios';
import { CircuitBreakerWithEmitter, isBreakerOpenError } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { startTestServer, type TestServer } from '../../test-server/start.js';
import { expectAtRest, outcome } from '../support/rig.js';

describe("the article's use: a 429 on every 5th request blocks for 10 s", () => {
  let server: TestServer;
  beforeEach(async () => void (server = await startTestServer()));
  afterEach(() => server.close());

  it('opens on the first 429, refuses without touching the server, and closes by itself', async () => {
    const instance = axios.create({ baseURL: server.url });
    const clock = new ManualClock();
    const breaker = new CircuitBreakerWithEmitter(
      { instance },
      { timeout: 10_000, errorHandler: (error) => error.response?.status === 429, clock },
    );
    const told: string[] = [];
    breaker.on('OPEN', ({ reason, cooldownMs }) => told.push(`OPEN ${reason} ${cooldownMs}`));
    breaker.on('CLOSE', ({ reason, openForMs }) => told.push(`CLOSE ${reason} ${openForMs}`));

    const statuses: unknown[] = [];
    for (let request = 1; request <= 5; request += 1) {
      const { value, error } = await outcome(instance.get('/test/'));
      statuses.push(
        ((value ?? (error as { response: unknown }).response) as { status: number }).status,
      );
    }
    expect(statuses).toEqual([200, 200, 400, 200, 429]);
    expect(told).toEqual(['OPEN rate-limit 10000']);
    expect(breaker.getStatus()).toBe(true);

    const { error } = await outcome(instance.get('/test/'));
    expect(isBreakerOpenError(error)).toBe(true);
    expect(axios.isCancel(error)).toBe(true);
    expect((error as Error).message).toBe('Circuit breaker is open');
    expect(server.hits('/test/')).toBe(5);

    clock.advance(9_999);
    expect(breaker.getStatus()).toBe(true);
    expect(told).toHaveLength(1);
    clock.advance(1);
    expect(told).toEqual(['OPEN rate-limit 10000', 'CLOSE cooldown-elapsed 10000']);
    expect(breaker.getStatus()).toBe(false);

    await outcome(instance.get('/test/'));
    expect(server.hits('/test/')).toBe(6);
    expectAtRest(breaker);
    breaker.detach();
  });

  it('tells nothing to a listener that was removed', async () => {
    const instance = axios.create({ baseURL: server.url });
    const breaker = new CircuitBreakerWithEmitter(
      { instance },
      { timeout: 10_000, errorHandler: (error) => error.response?.status === 429 },
    );
    const removed = jest.fn();
    const kept = jest.fn();
    breaker.on('OPEN', removed).on('OPEN', kept).removeListener('OPEN', removed);
    server.script('/busy', [429]);

    await outcome(instance.get('/busy'));
    expect(removed).not.toHaveBeenCalled();
    expect(kept).toHaveBeenCalledTimes(1);
    breaker.detach();
  });
});
