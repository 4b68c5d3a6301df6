import axios from 'axios';
import { Queue, Worker } from 'bullmq';
import { bullmqQueue, replay } from '../../src/bullmq/index.js';
import { CircuitBreakerWithEmitter, queueForRetry, type QueuedRequest } from '../../src/index.js';
import { startTestServer } from '../../test-server/start.js';

console.log('A shop sends 8 orders to an API that is down. A worker sends them later.\n');

const [url = 'redis://127.0.0.1:6379'] = process.argv.slice(2);
const connection = { url };
const queue = new Queue(`example-${process.pid}`, { connection });

const api = await startTestServer();
api.script('/orders', [503, 503, 503, 503, 201]);

const client = axios.create({ baseURL: api.url });
const breaker = new CircuitBreakerWithEmitter(client, {
  consecutiveFailures: 3,
  fallback: queueForRetry(bullmqQueue(queue), { methods: ['POST'] }),
  fallbackOn: 'failure', // orders that failed wait, too, and not only those that were not sent
});
breaker.on('OPEN', () => console.log('          -- OPEN: the API is left alone'));
breaker.on('CLOSE', () => console.log('          -- CLOSE: the API is well again'));

for (let order = 1; order <= 8; order += 1) {
  const headers = { 'Idempotency-Key': `order-${order}` };
  const { data, fallback } = await client.post<{ id: string }>('/orders', { order }, { headers });
  console.log(`order ${order}   ${fallback === 'queue' ? `waits as job ${data.id}` : 'sent'}`);
}

interface Order extends QueuedRequest {
  readonly data: { readonly order: number };
}

// From here on it could be another process, on another machine.
const worker = new Worker<Order>(queue.name, replay(client, { queue }), {
  connection,
  limiter: { max: 1_000_000, duration: 1_000 }, // so that all workers of the queue pause together
});
await new Promise<void>((resolve) => {
  let left = 8;
  worker.on('completed', ({ data }) => {
    console.log(`          order ${data.data.order} sent at last`);
    left -= 1;
    if (left === 0) resolve();
  });
});

const taken = api.requests('/orders').filter(({ status }) => status === 201);
const keys = new Set(taken.map(({ headers }) => headers['idempotency-key']));
console.log(
  `\nBy the API's own count, ${keys.size} of 8 orders arrived, ${taken.length - keys.size} twice.`,
);
if (keys.size !== 8 || taken.length !== 8) process.exitCode = 1;

await worker.close();
await queue.obliterate();
await queue.close();
breaker.detach();
await api.close();
