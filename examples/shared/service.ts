import axios from 'axios';
import { createClient } from 'redis';
import { CircuitBreakerWithEmitter, isBreakerOpenError } from '../../src/index.js';
import { redisState } from '../../src/redis/index.js';

/** What a process tells of itself. */
export interface Report {
  readonly type: 'answer' | 'event';
  readonly text: string;
}

const [redisUrl = '', baseURL = ''] = process.argv.slice(2);
const redis = await createClient({ url: redisUrl }).on('error', console.error).connect();
const client = axios.create({ baseURL });
const breaker = new CircuitBreakerWithEmitter(client, {
  name: 'orders', // the same in every process
  shared: redisState(redis),
});
breaker.on('OPEN', ({ reason }) => report('event', `OPEN (${reason})`));
breaker.on('CLOSE', ({ reason }) => report('event', `CLOSE (${reason})`));

process.on('message', (command) => {
  if (command === 'end') {
    breaker.detach();
    redis.destroy();
    process.disconnect();
  } else {
    void ask().then((answer) => report('answer', answer));
  }
});
setTimeout(() => report('answer', 'ready'), 200); // by then it has heard from Redis

async function ask(): Promise<string> {
  try {
    return String((await client.get('/orders')).status);
  } catch (error) {
    if (!isBreakerOpenError(error)) return (error as Error).message;
    return `refused, try again in ${Math.ceil(error.retryAfterMs / 1_000)} s`;
  }
}

function report(type: Report['type'], text: string): void {
  process.send?.({ type, text } satisfies Report);
}
