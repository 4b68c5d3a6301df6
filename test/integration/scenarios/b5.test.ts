import type { AxiosRequestConfig, InternalAxiosRequestConfig } from 'axios';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectProbeRecovery, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { inTurn } from '../../support/steps.js';

type Config = InternalAxiosRequestConfig;

const standardFields = [
  'url',
  'method',
  'baseURL',
  'headers',
  'params',
  'data',
  'timeout',
  'signal',
  'cancelToken',
  'adapter',
  'responseType',
  'transformRequest',
  'transformResponse',
  'validateStatus',
  'maxContentLength',
  'maxBodyLength',
] satisfies (keyof AxiosRequestConfig)[];

const changes: { change: string; apply: (config: Config) => Config }[] = [
  { change: 'spreads it into a new one', apply: (config) => ({ ...config }) },
  { change: 'assigns it to a new one', apply: (config) => Object.assign({}, config) },
  {
    change: 'copies the standard fields alone',
    apply: (config) =>
      Object.fromEntries(standardFields.map((field) => [field, config[field]])) as Config,
  },
  {
    change: 'adds a read-only field',
    apply: (config) => Object.defineProperty(config, 'requestId', { value: 7, enumerable: true }),
  },
  {
    change: 'makes its adapter read-only',
    apply: (config) =>
      Object.defineProperty(config, 'adapter', {
        value: config.adapter,
        enumerable: true,
        writable: false,
        configurable: false,
      }),
  },
];

const cases = changes.flatMap((change) => orders.map((order) => ({ ...change, order })));

describe('B5 · Another interceptor copies the config', () => {
  expectQuietProcess();

  it.each(cases)(
    'opens once, at the 5th 503, and closes, beside an interceptor ($order the breaker) that $change',
    async ({ apply, order }) => {
      const clock = new ManualClock();
      const rig = await startRigBeside(
        order,
        ({ interceptors }) => interceptors.request.use(apply),
        { ...probing, clock },
      );
      const { server, client, breaker, transitions } = rig;
      server.script('/', [503]);

      await inTurn(4, () => client.get('/'));
      expect(transitions).toEqual([]);
      const [fifth] = await inTurn(1, () => client.get('/'));
      expect(fifth?.error).toMatchObject({ response: { status: 503 } });
      expect(transitions).toEqual(['OPEN']);

      const refused = await inTurn(3, () => client.get('/'));
      expect(refused.every(({ error }) => isBreakerOpenError(error))).toBe(true);
      expect(server.hits('/')).toBe(5);
      expect(breaker.snapshot().counts).toMatchObject({ admitted: 5, failure: 5, refused: 3 });

      await expectProbeRecovery(rig, clock);
      await rig.stop();
    },
  );
});
