/**
 * A whole program that shares: `redis-exit-script <kind of client> <url> <whether it connects>`. It says
 * when it is open, waits to be told to close its client, and has nothing left to do then. When it ends by
 * itself it prints how long that took, in ms.
 */
import { once } from 'node:events';
import axios from 'axios';
import { CircuitBreaker } from '../../src/index.js';
import { redisState } from '../../src/redis/index.js';
import { createUserClient, type Kind } from './redis-clients.js';

const [kind = 'ioredis', url = '', connects] = process.argv.slice(2);
const user = createUserClient(kind as Kind, url);
if (connects === 'connects') user.connect();

const http = axios.create({ adapter: () => Promise.reject(new axios.AxiosError('down')) });
const breaker = new CircuitBreaker(http, { name: 'orders', shared: redisState(user.client) });
for (let request = 1; request <= 5; request += 1) await http.get('/').catch(() => undefined);
console.log(breaker.getState());

await once(process.stdin, 'data');
process.stdin.destroy();
user.close();
const closedAt = performance.now();
process.on('exit', () => console.log(performance.now() - closedAt));
