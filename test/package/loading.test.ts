import { install, pack, place, type Consumer, type Packed } from './consumer.js';
import { exportedBy, loadedBy, loadedByBoth, replayedBy, told } from './loading-code.js';

jest.setTimeout(60_000);

describe('the packed package in plain node', () => {
  let packed: Packed;
  beforeAll(async () => void (packed = await pack()));
  afterAll(() => packed.remove());

  describe.each(['axios', 'axios-1.5.1', 'axios-0.27.2'])('next to %s', (axios) => {
    let consumer: Consumer;
    beforeAll(async () => void (consumer = await install(packed, axios)));
    afterAll(() => consumer.remove());

    it.each([
      ['import', 'loads.mjs'],
      ['require', 'loads.cjs'],
    ] as const)('opens and refuses when loaded by %s', async (statement, file) => {
      await consumer.write(file, loadedBy(statement));
      const result: unknown = JSON.parse(await consumer.node(file));
      expect(result).toEqual({ told, recognised: true, isCancel: true });
    });

    it('recognises the refusals of its other build, on instances of either build of axios', async () => {
      await consumer.write('both.cjs', loadedByBoth);
      const pairs: unknown = JSON.parse(await consumer.node('both.cjs'));
      const each = { told, recognised: [true, true], isCancel: [true, true], instanceOf: 1 };
      expect(pairs).toEqual([each, each, each, each]);
    });
  });

  describe('next to axios 1.4.0, which has no getAdapter', () => {
    it('is refused by npm', async () => {
      await expect(install(packed, 'axios-1.4.0')).rejects.toThrow(
        /Found: axios@1\.4\.0[^]*peer axios@/,
      );
    });

    it('throws at the attempt to attach, and says why', async () => {
      const consumer = await install(packed, 'axios-1.4.0', '--legacy-peer-deps');
      for (const [statement, file] of [
        ['import', 'loads.mjs'],
        ['require', 'loads.cjs'],
      ] as const) {
        await consumer.write(file, loadedBy(statement));
        await expect(consumer.node(file)).rejects.toThrow(
          'this version of axios has no getAdapter. Use axios below 1.2 or from 1.5.1 on',
        );
      }
      await consumer.remove();
    });
  });

  describe('with its sub-path for prom-client', () => {
    let beside: Consumer;
    let without: Consumer;
    beforeAll(async () => {
      beside = await place(packed, 'axios', 'prom-client');
      without = await place(packed, 'axios');
    });
    afterAll(async () => {
      await beside.remove();
      await without.remove();
    });

    it.each([
      ['import', 'metrics.mjs'],
      ['require', 'metrics.cjs'],
    ] as const)(
      'exports to the registry that it is given, when loaded by %s',
      async (statement, file) => {
        await beside.write(file, exportedBy(statement));
        const result: unknown = JSON.parse(await beside.node(file));
        expect(result).toEqual(['axios_circuit_state_code{breaker="orders",key="default"} 3', '']);
      },
    );

    it.each([
      ['import', 'metrics.mjs'],
      ['require', 'metrics.cjs'],
    ] as const)('says by %s what is missing where nobody installed it', async (statement, file) => {
      await without.write(file, exportedBy(statement));
      await expect(without.node(file)).rejects.toThrow(
        /Cannot find (package|module) 'prom-client'/,
      );
    });
  });

  describe('with its sub-path for BullMQ', () => {
    let beside: Consumer;
    beforeAll(async () => void (beside = await place(packed, 'axios', 'bullmq')));
    afterAll(() => beside.remove());

    it.each([
      ['import', 'queue.mjs'],
      ['require', 'queue.cjs'],
    ] as const)("pauses the queue with BullMQ's own error, when loaded by %s", async (by, file) => {
      await beside.write(file, replayedBy(by));
      expect(JSON.parse(await beside.node(file))).toEqual([60_000, true]);
    });
  });
});
