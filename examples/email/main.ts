import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { CircuitBreakerWithEmitter, queueForRetry, type QueuedRequest } from '../../src/index.js';
import { startTestServer } from '../../test-server/start.js';

console.log('A service sends 15 mails through an HTTP API, which fails after the third.\n');

const api = await startTestServer();
api.script('/mails', [202, 202, 202, 503, 503, 503, 202]);

const client = axios.create({ baseURL: api.url });
const waiting: QueuedRequest[] = [];
let isSending = false;

const breaker = new CircuitBreakerWithEmitter(client, {
  consecutiveFailures: 3,
  cooldown: 500,
  fallback: queueForRetry((request) => waiting.push(request), { methods: ['POST'] }),
  fallbackOn: 'failure', // mails that failed wait, too, and not only those that were not sent
});

breaker.on('OPEN', () => console.log('         -- OPEN: the API is left alone'));
breaker.on('HALF_OPEN', () => console.log('         -- HALF_OPEN: the next mail is a probe'));
breaker.on('CLOSE', () => {
  console.log(`         -- CLOSE: the ${waiting.length} mails that wait are sent now`);
  sendWaiting().catch(() => console.log('         the API fails again: the others go on waiting'));
});

for (let mail = 1; mail <= 15; mail += 1) {
  const { data, fallback } = await client.post<{ id: number }>(
    '/mails',
    { to: `reader-${mail}@example.com`, subject: 'The news of the day' },
    { headers: { 'Idempotency-Key': `mail-${mail}` } },
  );
  const result = fallback === 'queue' ? `waits, number ${data.id} in the queue` : 'sent';
  console.log(`mail ${String(mail).padStart(2)}   ${result}`);
  await sleep(100);
}

/** Each leaves the queue when it has arrived, and not before; never two at once. */
async function sendWaiting(): Promise<void> {
  if (isSending) return;
  isSending = true;
  try {
    await sendEach();
  } finally {
    isSending = false;
  }
}

async function sendEach(): Promise<void> {
  for (let request = waiting[0]; request; request = waiting[0]) {
    // Without the fallback: a mail that is refused again is still in the queue.
    await client.request({ ...request, circuitBreaker: { fallback: false } });
    waiting.shift();
    console.log(`         ${request.headers['idempotency-key']} sent at last`);
  }
}

while (waiting.length > 0) {
  await sleep(50);
  await sendWaiting().catch(() => undefined);
}

const arrived = api
  .requests('/mails')
  .filter(({ status }) => status === 202)
  .map(({ headers }) => headers['idempotency-key']);
const different = new Set(arrived).size;
console.log(
  `\nBy the API's own count, ${different} of 15 mails arrived, ${arrived.length - different} of them twice.`,
);
if (different !== 15 || arrived.length !== 15) process.exitCode = 1;

breaker.detach();
await api.close();
