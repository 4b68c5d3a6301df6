const main = `
import axios, { type AxiosInstance } from 'axios';
import { CircuitBreakerWithEmitter, isBreakerOpenError, type OpenEvent } from 'axios-circuit-guard';
import { serveStale, type StaleFallback } from 'axios-circuit-guard/stale';
import { statusPage, type CircuitStatus } from 'axios-circuit-guard/status';
import { ManualClock } from 'axios-circuit-guard/testing';

const client: AxiosInstance = axios.create();
const fallback: StaleFallback = serveStale();
const breaker = new CircuitBreakerWithEmitter(client, {
  clock: new ManualClock(),
  errorHandler: (error) => error.response?.status === 429,
  fallback,
});
breaker.on('OPEN', ({ cooldownMs }: OpenEvent) => cooldownMs.toFixed());
breaker.on('SUCCESS', ({ response }) => response?.status.toFixed());

export const answer = client
  .get<string>('/', { circuitBreaker: { key: 'a', requestTimeout: 1_000 } })
  .then(({ data, fallback }) => data.trim() + (fallback ?? ''))
  .catch((error: unknown) => isBreakerOpenError(error) && error.retryAfterMs.toFixed());

statusPage([breaker], { control: true, token: 'sixteen-letters-' }).close();
statusPage(() => [breaker]).close();
export const share = ({ failureRate }: CircuitStatus) => failureRate.toFixed();

// @ts-expect-error -- there is no such option
statusPage([breaker], { minutes: 5 });
// @ts-expect-error -- that is no breaker
statusPage([client]);
// @ts-expect-error -- there is no such event
breaker.on('OPENED', () => undefined);
// @ts-expect-error -- there is no such option
export const wrong = new CircuitBreakerWithEmitter(client, { cooldownMs: 1 });
// @ts-expect-error -- nor of a request
export const unsent = client.get('/', { circuitBreaker: { cooldown: 1 } });
`;

const exporters = `
import { exportTelemetry, type TelemetryOptions } from 'axios-circuit-guard/opentelemetry';
import { exportMetrics, type MetricsOptions } from 'axios-circuit-guard/prometheus';
import { register, Registry, type OpenMetricsContentType } from 'prom-client';

const options: MetricsOptions = { registry: register, buckets: [0.1, 1] };
export const unregister: () => void = exportMetrics(breaker, options);
exportMetrics([breaker], { registry: new Registry<OpenMetricsContentType>(), prefix: 'mine_' });
export const stop: () => void = exportTelemetry(breaker, {} satisfies TelemetryOptions);

// @ts-expect-error -- there must be a registry
exportMetrics(breaker, {});
// @ts-expect-error -- a name is no breaker
exportMetrics('orders', { registry: register });
// @ts-expect-error -- nor here
exportTelemetry('orders');
`;

const onRedis = `
import axios from 'axios';
import { CircuitBreaker, queueForRetry } from 'axios-circuit-guard';
import { bullmqQueue, replay, type ReplayOptions } from 'axios-circuit-guard/bullmq';
import { redisState, type RedisStateOptions } from 'axios-circuit-guard/redis';
import { Queue, Worker } from 'bullmq';
import { createClient } from 'redis';

const client = axios.create({ baseURL: 'https://api.example.com' });
const connection = { host: '127.0.0.1' };
const queue = new Queue('orders', { connection });
const fallback = queueForRetry(bullmqQueue(queue, { jobOptions: { attempts: 3 } }));
const shared = redisState(createClient(), { quorum: 0.3 } satisfies RedisStateOptions);
export const breaker = new CircuitBreaker(client, { name: 'orders', fallback, shared });
const options: ReplayOptions = { queue, allowedOrigins: ['https://b.example.com'] };
export const worker = new Worker('orders', replay(client, options), { connection });
export const closed: Promise<void> = breaker.fleet.close();

// @ts-expect-error -- a name is no queue
replay(client, { queue: 'orders' });
// @ts-expect-error -- each request has a job of its own
bullmqQueue(queue, { jobOptions: { jobId: 'one' } });
// @ts-expect-error -- a URL is no client
redisState('redis://127.0.0.1');
`;

/** Uses what needs nothing but axios; what runs in browsers, too; and what needs Node and Redis. */
export const typingCode = { alone: main, whole: `${main}${exporters}`, onRedis };

const strict = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
};

const modules = {
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

export type Resolution = keyof typeof modules;
export const resolutions = Object.keys(modules) as Resolution[];

/** The files of a project in which that code is compiled in both module formats. `types`: of globals. */
export function typingProject(
  code: string,
  resolution: Resolution,
  types: readonly string[] = [],
): [file: string, text: string][] {
  const files = ['consumer.mts', 'consumer.cts'];
  const project = { compilerOptions: { ...strict, types, ...modules[resolution] }, files };
  return [
    ...files.map((file): [string, string] => [file, code]),
    [`${resolution}.json`, JSON.stringify(project)],
  ];
}
