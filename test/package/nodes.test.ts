import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { nodesOf } from '../support/nodes.js';
import { testedNodes } from '../support/programs.js';
import { pack, place, type Consumer } from './consumer.js';
import { jestTest, printed, programs } from './programs.js';

jest.setTimeout(60_000);

const jestFolder = dirname(createRequire(__filename).resolve('jest/package.json'));

describe('the packed package', () => {
  let consumer: Consumer;
  beforeAll(async () => {
    const packed = await pack();
    consumer = await place(packed, 'axios', 'prom-client', '@opentelemetry/api', 'bullmq');
    await packed.remove();
    await consumer.write('loads.mjs', programs.import);
    await consumer.write('loads.cjs', programs.require);
    await consumer.write('consumer.test.js', jestTest);
    await consumer.write('jest.config.json', JSON.stringify({ transform: {} }));
  });
  afterAll(() => consumer.remove());

  describe.each(nodesOf(testedNodes))('on Node $version', ({ program }) => {
    it.each([
      ['import', 'loads.mjs'],
      ['require', 'loads.cjs'],
    ])(
      'loads by %s with every entry, works, and ends by itself without a warning',
      async (_statement, file) => {
        const { stdout, stderr } = await consumer.run(program, file);
        expect(stderr).toBe('');
        expect(JSON.parse(stdout)).toEqual(printed);
      },
    );

    it('works in a test of Jest in CommonJS', async () => {
      const args = [join(jestFolder, 'bin/jest.js'), '--config', 'jest.config.json', '--json'];
      const { stdout } = await consumer.run(program, ...args);
      expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 1 });
    });
  });
});
