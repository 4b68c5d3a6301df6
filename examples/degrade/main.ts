import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { CircuitBreakerWithEmitter, degrade } from '../../src/index.js';
import { startTestServer } from '../../test-server/start.js';

interface Price {
  readonly price: number;
  readonly asOf: string;
}

console.log(
  'A shop asks for a price, again and again. Its server goes down, and a second answers.\n',
);

const first = await startTestServer();
const good = { body: { price: 12, asOf: 'now' } };
first.script('/price', [good, good, 503, 503, 503, good]);

const second = await startTestServer();
second.script('/price', [{ body: { price: 11, asOf: 'yesterday' } }]);

const client = axios.create({ baseURL: first.url });
const backup = axios.create({ baseURL: second.url });

const breaker = new CircuitBreakerWithEmitter(client, {
  consecutiveFailures: 3,
  cooldown: 400,
  fallback: degrade(async ({ url = '' }) => (await backup.get<Price>(url)).data),
  fallbackOn: 'failure', // also where the first server fails, and not only where it is not asked
});
breaker.on('OPEN', () => console.log('   -- OPEN: the first server is left alone'));
breaker.on('CLOSE', () => console.log('   -- CLOSE: the first server is back'));

for (let request = 1; request <= 12; request += 1) {
  const { data, fallback } = await client.get<Price>('/price');
  const from = fallback === 'degrade' ? 'second' : 'first';
  console.log(`${String(request).padStart(2)}   ${data.price} EUR, as of ${data.asOf} (${from})`);
  await sleep(100);
}

console.log('\n12 answers to 12 requests. By their own count they were asked:');
console.log(`the first server ${first.hits()} times, the second ${second.hits()} times.`);

breaker.detach();
await Promise.all([first.close(), second.close()]);
