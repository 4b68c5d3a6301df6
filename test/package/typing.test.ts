import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { install, ourCopy, pack, type Consumer } from './consumer.js';

jest.setTimeout(60_000);

const code = `
import axios, { type AxiosInstance } from 'axios';
import { CircuitBreakerWithEmitter, isBreakerOpenError, type OpenEvent } from 'axios-circuit-guard';
import { statusPage, type CircuitStatus } from 'axios-circuit-guard/status';
import { ManualClock } from 'axios-circuit-guard/testing';

const client: AxiosInstance = axios.create();
const breaker = new CircuitBreakerWithEmitter(client, {
  clock: new ManualClock(),
  errorHandler: (error) => error.response?.status === 429,
});
breaker.on('OPEN', ({ cooldownMs }: OpenEvent) => cooldownMs.toFixed());

export const answer = client
  .get<string>('/', { circuitBreaker: false })
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
`;

const metricsCode = `
import axios from 'axios';
import { CircuitBreakerWithEmitter } from 'axios-circuit-guard';
import { exportMetrics, type MetricsOptions } from 'axios-circuit-guard/prometheus';
import { register, Registry, type OpenMetricsContentType } from 'prom-client';

const breaker = new CircuitBreakerWithEmitter(axios.create());
const options: MetricsOptions = { registry: register, buckets: [0.1, 1] };
export const unregister: () => void = exportMetrics(breaker, options);
exportMetrics([breaker], { registry: new Registry<OpenMetricsContentType>(), prefix: 'mine_' });

// @ts-expect-error -- there must be a registry
exportMetrics(breaker, {});
// @ts-expect-error -- a name is no breaker
exportMetrics('orders', { registry: register });
`;

const modules = {
  node16: { module: 'node16', files: ['consumer.mts', 'consumer.cts'] },
  nodenext: { module: 'nodenext', files: ['consumer.mts', 'consumer.cts'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', files: ['consumer.ts'] },
};

const compilers = ['typescript', 'typescript7'].map((name) => {
  const manifest = createRequire(__filename).resolve(`${name}/package.json`);
  return { name, tsc: join(dirname(manifest), 'lib/tsc.js') };
});

const projects = [
  { what: 'of the main entry, with nothing but axios installed', code, packages: [] },
  { what: 'of the metrics, beside prom-client', code: metricsCode, packages: ['prom-client'] },
];

describe.each(projects)('the packed types $what, with library checks on', ({ code, packages }) => {
  let consumer: Consumer;
  beforeAll(async () => {
    const packed = await pack();
    consumer = await install(packed, 'axios', ...packages.map(ourCopy));
    await packed.remove();
    for (const ending of ['ts', 'mts', 'cts']) await consumer.write(`consumer.${ending}`, code);
    for (const [name, { files, ...resolution }] of Object.entries(modules)) {
      const compilerOptions = {
        ...resolution,
        target: 'es2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        types: [],
        noEmit: true,
      };
      await consumer.write(`${name}.json`, JSON.stringify({ compilerOptions, files }));
    }
  });
  afterAll(() => consumer.remove());

  describe.each(compilers)('and $name', ({ tsc }) => {
    it.each(Object.keys(modules))('compile for a consumer under %s', async (name) => {
      await expect(consumer.node(tsc, '-p', `${name}.json`)).resolves.toBe('');
    });
  });
});
