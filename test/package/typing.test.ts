import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { install, pack, type Consumer } from './consumer.js';

jest.setTimeout(60_000);

const code = `
import axios, { type AxiosInstance } from 'axios';
import { CircuitBreakerWithEmitter, isBreakerOpenError, type OpenEvent } from 'axios-circuit-guard';
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

// @ts-expect-error -- there is no such event
breaker.on('OPENED', () => undefined);
// @ts-expect-error -- there is no such option
export const wrong = new CircuitBreakerWithEmitter(client, { cooldownMs: 1 });
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

describe('the packed types, with library checks on', () => {
  let consumer: Consumer;
  beforeAll(async () => {
    const packed = await pack();
    consumer = await install(packed, 'axios');
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
