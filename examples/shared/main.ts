import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestServer } from '../../test-server/start.js';
import type { Report } from './service.js';

console.log(
  'Three processes call one API with one key, which allows two requests and then says 429.\n',
);

const [redisUrl = 'redis://127.0.0.1:6379'] = process.argv.slice(2);
const api = await startTestServer();
api.script('/orders', [200, 200, { status: 429, headers: { 'retry-after': '2' } }, 200]);

const services = new Map<number, ChildProcess>();
const answers = new EventEmitter();
for (const number of [1, 2, 3]) {
  const service = fork(new URL('service.ts', import.meta.url), [redisUrl, api.url], {
    execArgv: ['--import', 'tsx'],
  });
  services.set(number, service);
  service.on('message', ({ type, text }: Report) => {
    if (type === 'event') say(number, `       ${text}`);
    else answers.emit(String(number), text);
  });
}
await Promise.all([1, 2, 3].map((number) => once(answers, String(number))));

for (const number of [1, 2, 3]) await ask(number);
await sleep(200);
for (const number of [1, 2]) await ask(number);
await sleep(2_500);
for (const number of [1, 2, 3]) await ask(number);

const asked = api.requests('/orders').length;
console.log(`\nEight requests, ${asked} reached the API, one 429.`);
if (asked !== 6) process.exitCode = 1;

for (const service of services.values()) service.send('end');
await Promise.all(Array.from(services.values(), (service) => once(service, 'exit')));
await api.close();

async function ask(number: number): Promise<void> {
  const answer = once(answers, String(number));
  services.get(number)?.send('ask');
  say(number, `asks:  ${String(await answer)}`);
}

function say(number: number, text: string): void {
  console.log(`  process ${number}  ${text}`);
}
