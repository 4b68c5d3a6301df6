/**
 * A whole program with a breaker in it: `exit-script <task> <url of a test server>`. When it ends by
 * itself, it prints what came of the task, and for how long it had nothing left to do.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type AxiosRequestConfig } from 'axios';
import { CircuitBreakerWithEmitter, holdUntilClosed } from '../../src/index.js';

const [task = '', url = ''] = process.argv.slice(2);
// A socket that is kept alive would keep the process, too.
const httpAgent = new Agent({ keepAlive: false });
const client = axios.create({ baseURL: url, httpAgent });
const breaker = new CircuitBreakerWithEmitter(client, {
  consecutiveFailures: 5,
  cooldown: { probe: 20, hold: 500 }[task] ?? 60_000,
  ...(task === 'hold' && { fallback: holdUntilClosed() }),
  windowDuration: 600_000,
});

const ask = (path: string, config: AxiosRequestConfig = {}) =>
  client.get(path, config).catch(() => undefined);
const openIt = async () => {
  for (let request = 1; request <= 5; request += 1) await ask('/status/503');
};

const tasks: Record<string, () => Promise<unknown>> = {
  attach: () => Promise.resolve(),
  open: openIt,
  succeed: () => ask('/status/200'),
  'succeed-in-time': () => ask('/status/200', { circuitBreaker: { requestTimeout: 30_000 } }),
  probe: async () => {
    await openIt();
    while (breaker.getState() === 'open') await sleep(5);
    await ask('/status/200');
  },
  hold: async () => {
    await openIt();
    await client.get('/status/200');
  },
  refuse: async () => {
    await openIt();
    await ask('/status/200');
  },
};

await tasks[task]?.();
const end = performance.now();
process.on('exit', () => {
  const { state, counts } = breaker.snapshot();
  console.log(JSON.stringify({ state, counts, idleMs: performance.now() - end }));
});
