/**
 * A whole program with 10,000 breakers in it, and no network. It prints which timers they hold: new,
 * after a call each, with one of them open, and with that one closed again. Then it opens that one for
 * another minute, and prints, when it ends by itself, for how long it had nothing left to do.
 */
import axios from 'axios';
import { CircuitBreaker, type Clock } from '../../src/index.js';

let started = 0;
const held = new Set<unknown>();
const clock: Clock = {
  now: () => performance.now(),
  setTimeout(fn, ms) {
    started += 1;
    const handle = setTimeout(() => {
      held.delete(handle);
      fn();
    }, ms);
    held.add(handle);
    return handle;
  },
  clearTimeout(handle) {
    held.delete(handle);
    clearTimeout(handle as NodeJS.Timeout);
  },
};

const timers = () => ({
  started,
  held: held.size,
  keepingAlive: process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout')
    .length,
});

let isDown = false;
const guarded = Array.from({ length: 10_000 }, () => {
  const client = axios.create({
    adapter: (config) =>
      isDown
        ? Promise.reject(new axios.AxiosError('refused', 'ECONNREFUSED', config))
        : Promise.resolve({ status: 200, statusText: '', headers: {}, data: {}, config }),
  });
  const options = { cooldown: 60_000, requestTimeout: 30_000, clock };
  return { client, breaker: new CircuitBreaker(client, options) };
});
const fresh = timers();

for (const { client } of guarded) await client.get('/');
const used = timers();

isDown = true;
const { client, breaker } = guarded[0] ?? {};
const trip = async () => {
  for (let request = 1; request <= 5; request += 1) await client?.get('/').catch(() => undefined);
};
await trip();
const opened = timers();
breaker?.close();
const closed = timers();
await trip();

const end = performance.now();
process.on('exit', () => {
  const idleMs = performance.now() - end;
  const state = breaker?.getState();
  console.log(JSON.stringify({ fresh, used, opened, closed, state, idleMs }));
});
