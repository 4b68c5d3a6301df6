/**
 * A process that sends orders, and replays those that were queued, until it is killed:
 * `queue-script <port of Redis> <url of a server> <numbers of orders, as JSON> <when to die>`. It prints the
 * number of each order that is queued, and kills itself when it has printed so many.
 */
import axios from 'axios';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { bullmqQueue, replay } from '../../src/bullmq/index.js';
import { CircuitBreaker, queueForRetry } from '../../src/index.js';

const [port = '', url = '', orders = '[]', lifetime] = process.argv.slice(2);
const connect = () => new Redis(Number(port), { maxRetriesPerRequest: null });
const queue = new Queue('orders', { connection: connect() });
const jobOptions = { backoff: { type: 'fixed', delay: 500 } };
const client = axios.create({ baseURL: url });
new CircuitBreaker(client, {
  fallback: queueForRetry(bullmqQueue(queue, { jobOptions }), { methods: ['POST'] }),
  fallbackOn: 'failure',
  cooldown: 500,
  maxCooldown: 500,
});

let queued = 0;
async function send(waiting: number[]): Promise<void> {
  for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
    // Those that fail before the breaker opens may have been heard: they need a key from the beginning.
    const headers = { 'Idempotency-Key': `order-${order}` };
    const { status } = await client.post('/orders', { order }, { headers });
    if (status !== 202) continue;
    console.log(order);
    queued += 1;
    if (queued === Number(lifetime)) process.kill(process.pid, 'SIGKILL');
  }
}

const waiting = JSON.parse(orders) as number[];
await Promise.all(Array.from({ length: 10 }, () => send(waiting)));

new Worker('orders', replay(client, { queue }), {
  connection: connect(),
  concurrency: 10,
  limiter: { max: 1_000_000, duration: 1_000 },
  lockDuration: 1_000,
  stalledInterval: 500,
});
