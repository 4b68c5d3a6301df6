import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import axiosVersions from '../support/axios-versions.json' with { type: 'json' };
import { pack, place, type Consumer, type Packed } from './consumer.js';
import { resolutions, typingCode, typingProject, type Resolution } from './typing-code.js';

jest.setTimeout(60_000);

/** The packages are named for the versions that they are. */
const compilers = ['typescript5.0', 'typescript', 'typescript7'];
const compilersBetween = ['typescript5.2', 'typescript5.9'];
const newest = 'typescript7';

function tscOf(compiler: string): string {
  return join(dirname(createRequire(__filename).resolve(`${compiler}/package.json`)), 'lib/tsc.js');
}

async function compile(
  consumer: Consumer,
  compiler: string,
  code: string,
  resolution: Resolution,
  ...types: string[]
): Promise<string> {
  for (const file of typingProject(code, resolution, types)) await consumer.write(...file);
  return consumer.node(tscOf(compiler), '-p', `${resolution}.json`);
}

describe('the packed types, in both module formats and with library checks on', () => {
  let packed: Packed;
  let consumer: Consumer;
  beforeAll(async () => void (packed = await pack()));
  afterEach(() => consumer.remove());
  afterAll(() => packed.remove());

  describe.each(compilers)('compile with %s', (compiler) => {
    it.each(resolutions)('under %s, of every entry for browsers and Node', async (resolution) => {
      consumer = await place(packed, 'axios', 'prom-client', '@opentelemetry/api');
      await expect(compile(consumer, compiler, typingCode.whole, resolution)).resolves.toBe('');
    });
  });

  it.each(compilersBetween)('compile with %s', async (compiler) => {
    consumer = await place(packed, 'axios', 'prom-client', '@opentelemetry/api');
    await expect(compile(consumer, compiler, typingCode.whole, 'nodenext')).resolves.toBe('');
  });

  it.each(['typescript', newest])('compile with %s beside BullMQ and Redis', async (compiler) => {
    consumer = await place(packed, 'axios', 'bullmq', 'redis', '@types/node');
    const code = typingCode.onRedis;
    await expect(compile(consumer, compiler, code, 'nodenext', 'node')).resolves.toBe('');
  });

  it.each(axiosVersions)('compile next to axios $version', async ({ version, name }) => {
    // What axios 0.x is to an ES module of Node its types do not say.
    const resolution = version.startsWith('0.') ? 'bundler' : 'nodenext';
    consumer = await place(packed, name);
    await expect(compile(consumer, newest, typingCode.alone, resolution)).resolves.toBe('');
  });
});
