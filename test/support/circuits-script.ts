/**
 * A whole program with a breaker that keeps 10,000 circuits, each of which has seen one request. It prints
 * how many bytes one of them takes while it is idle. Run it with --expose-gc.
 */
import axios from 'axios';
import { CircuitBreaker } from '../../src/index.js';

const circuits = 10_000;
const answer = { status: 200, statusText: '', headers: {}, data: '' };
const client = axios.create({ adapter: (config) => Promise.resolve({ ...answer, config }) });
const breaker = new CircuitBreaker(client, { key: 'origin', maxKeys: circuits });

function bytesInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

// What the first request needs is not the circuit's.
await client.get('http://warm-up/');
breaker.close('http://warm-up');
const before = bytesInUse();
for (let host = 1; host < circuits; host += 1) await client.get(`http://host-${host}/`);
await new Promise((resolve) => setImmediate(resolve));
const bytesEach = Math.round((bytesInUse() - before) / circuits);
console.log(JSON.stringify({ circuits: breaker.keys().length, bytesEach }));
