/**
 * A whole program with a status page in it, which nobody opens. It prints, when it ends by itself, for how
 * long it had nothing left to do, and how many bytes the page takes for each of a thousand circuits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { CircuitBreaker } from '../../src/index.js';
import { statusPage } from '../../src/status/index.js';

const circuits = 1_000;
const client = axios.create({
  adapter: (config) =>
    Promise.resolve({ status: 200, statusText: '', headers: {}, data: {}, config }),
});
const breaker = new CircuitBreaker(client, { key: ({ url = '' }) => url, maxKeys: circuits });
const ask = async (prefix: string) => {
  for (let key = 1; key <= circuits; key += 1) await client.get(`${prefix} ${key}`);
};
const bytes = async () => {
  globalThis.gc?.();
  // Buffers are given back in the background.
  await sleep(100);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

await ask('first');
const without = await bytes();
statusPage([breaker]);
await ask('first');
const early = await bytes();
for (const round of ['second', 'third', 'fourth', 'fifth']) await ask(round);
const late = await bytes();

const end = performance.now();
process.on('exit', () => {
  const idleMs = performance.now() - end;
  const bytesPerCircuit = (early - without) / circuits;
  console.log(JSON.stringify({ bytesPerCircuit, grown: late - early, idleMs }));
});
