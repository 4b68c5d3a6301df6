import axios, { type AxiosResponse } from 'axios';
import { CircuitBreakerWithEmitter, isBreakerOpenError } from '../../src/index.js';
import { serveStale } from '../../src/stale/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { startTestServer } from '../../test-server/start.js';

const clock = new ManualClock(); // so that twelve minutes take no time
const server = await startTestServer();
server.script('/catalogue', [{ body: ['tea', 'coffee', 'cocoa'] }]);
server.script('/basket', [{ body: ['tea for Alice'] }]);

const client = axios.create({ baseURL: server.url });
const breaker = new CircuitBreakerWithEmitter(client, {
  consecutiveFailures: 3,
  cooldown: 3_600_000,
  fallback: serveStale({ maxAge: 3_600_000 }),
  clock,
});
breaker.on('OPEN', ({ reason }) => say('', `the breaker opens (${reason})`));

console.log('A shop asks its server for the catalogue, and the server goes down.\n');
await ask('/catalogue');
await ask('/basket', 'Alice');

await server.close();
clock.advance(720_000);
say('', 'the server is down');
for (let times = 0; times < 3; times += 1) {
  await ask('/catalogue');
  clock.advance(10_000);
}

await ask('/catalogue');
await ask('/basket', 'Alice');
await ask('/basket', 'Bob');
breaker.detach();

async function ask(url: string, user = ''): Promise<void> {
  const what = user && `${url} for ${user}`;
  try {
    say(what || url, resultOf(await client.get(url, { headers: { Authorization: user } })));
  } catch (error) {
    say(what || url, isBreakerOpenError(error) ? 'refused: nothing is kept for that' : 'no answer');
  }
}

function resultOf({ data, fallback, headers }: AxiosResponse<string[]>): string {
  const isStale = fallback === 'stale';
  return `${data.join(', ')} (${isStale ? `stale: ${String(headers['age'])} s old` : 'fresh'})`;
}

function say(what: string, result: string): void {
  const at = clock.now() / 1_000;
  const time = `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`;
  console.log(`  ${time.padStart(5)}  ${what.padEnd(19)}  ${result}`);
}
