import axios, { type AxiosAdapter, type AxiosError, type AxiosRequestConfig } from 'axios';
import { describeIf, isAxiosFrom } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, sleep, startRig, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { times } from '../../support/watch.js';
import { adapterNames, wireAdapter } from '../../support/wire.js';

const adapters: { readonly adapter: string; readonly config: AxiosRequestConfig }[] = [
  { adapter: 'the default adapter', config: {} },
  { adapter: 'an adapter of the user', config: { adapter: (config) => wireAdapter(config) } },
];
if (adapterNames.includes('fetch')) {
  adapters.push({ adapter: 'fetch', config: { adapter: 'fetch' } });
}

/** Of 1.13.3 to 1.15 the fetch adapter rejects with an error for which axios then has one of its own. */
const isReplaced = ({ adapter }: { readonly adapter: string }) =>
  adapter === 'fetch' && isAxiosFrom(1, 13) && !isAxiosFrom(1, 16);

/** Axios 0.27, 1.0 and 1.1 put no config on the error that they have instead. */
const namesRequest = isAxiosFrom(0, 28) && (!isAxiosFrom(1, 0) || isAxiosFrom(1, 2));

describe('A deadline that the caller set by signal is a timeout', () => {
  expectQuietProcess();

  const deadlines: { readonly deadline: string; readonly start: () => AbortSignal }[] = [
    { deadline: 'AbortSignal.timeout', start: () => AbortSignal.timeout(60) },
    {
      deadline: 'an AbortController aborted with a TimeoutError',
      start: () => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(new DOMException('too slow', 'TimeoutError')), 60);
        return controller.signal;
      },
    },
  ];
  const cases = deadlines.flatMap((deadline) =>
    adapters.map((adapter) => ({ ...deadline, ...adapter })),
  );

  it.each(cases.filter((each) => !isReplaced(each)))(
    'asks errorHandler about the error that the caller gets ($deadline, $adapter)',
    async ({ start, config }) => {
      const asked: { error: AxiosError; config: unknown }[] = [];
      const rig = await startRig({
        errorHandler: (error) => {
          asked.push({ error, config: error.config });
          return true;
        },
      });
      rig.server.script('/', [{ behaviour: 'silent' }]);
      const signal = start();

      const { error } = await outcome(rig.client.get('/', { ...config, signal }));

      expect(asked).toHaveLength(1);
      expect(asked[0]?.error).toBe(error);
      expect(asked[0]?.config).toMatchObject({ url: '/', method: 'get' });
      expect((asked[0]?.config as AxiosRequestConfig).signal).toBe(signal);
      expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, failure: 1 });
      await rig.stop();
    },
  );

  it.each(cases)('is a failure by default ($deadline, $adapter)', async ({ start, config }) => {
    const rig = await startRig({ consecutiveFailures: 2 });
    rig.server.script('/', [{ behaviour: 'silent' }]);

    await inTurn(2, () => rig.client.get('/', { ...config, signal: start() }));

    // On a busy machine a deadline may end before the server hears of the request.
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 2, failure: 2 });
    expect(rig.transitions).toEqual(['OPEN']);
    await rig.stop();
  });

  const expectAnswered = async (start: () => AbortSignal, config: AxiosRequestConfig) => {
    const rig = await startRig({ fallback: () => 'instead', fallbackOn: 'failure' });
    rig.server.script('/', [{ behaviour: 'silent' }]);

    const ends = await inTurn(2, () => rig.client.get('/', { ...config, signal: start() }));

    expect(ends).toMatchObject(times(2, { value: { data: 'instead', fallback: 'degrade' } }));
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 2, failure: 2 });
    await rig.stop();
  };

  it.each(cases)(
    'is answered by the fallback for failures ($deadline, $adapter)',
    ({ start, config }) => expectAnswered(start, config),
  );

  describeIf(namesRequest)('where the adapter has an error of its own', () => {
    it.each(deadlines)('is answered by the fallback for failures ($deadline)', ({ start }) => {
      const adapter: AxiosAdapter = ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener?.('abort', () => reject(new Error('hung up')));
        });
      return expectAnswered(start, { adapter });
    });

    it.each(deadlines)(
      'is answered by it where the failure came before the signal ($deadline)',
      ({ start }) => {
        const adapter: AxiosAdapter = async (config) => {
          const { signal } = config;
          const answer = await outcome(
            wireAdapter({ ...config, url: '/status/503', signal: undefined as never }),
          );
          while (!signal?.aborted) await sleep(5);
          throw answer.error;
        };
        return expectAnswered(start, { adapter });
      },
    );
  });
});

describe("The caller's own cancellation is nobody's failure", () => {
  expectQuietProcess();

  /** How a caller gives up: what goes on the config, and how it is set off. */
  const ways: {
    readonly way: string;
    readonly prepare: () => { readonly config: AxiosRequestConfig; readonly cancel: () => void };
  }[] = [
    {
      way: 'signal',
      prepare: () => {
        const controller = new AbortController();
        return { config: { signal: controller.signal }, cancel: () => controller.abort() };
      },
    },
    {
      way: 'signal with a reason',
      prepare: () => {
        const controller = new AbortController();
        const cancel = () => controller.abort(new Error('the user left'));
        return { config: { signal: controller.signal }, cancel };
      },
    },
    {
      way: 'cancelToken',
      prepare: () => {
        const { token, cancel } = axios.CancelToken.source();
        return { config: { cancelToken: token }, cancel: () => cancel() };
      },
    },
    {
      way: 'cancelToken, beside a deadline that is far',
      prepare: () => {
        const { token, cancel } = axios.CancelToken.source();
        const signal = AbortSignal.timeout(60_000);
        return { config: { cancelToken: token, signal }, cancel: () => cancel('enough') };
      },
    },
  ];
  const cases = ways.flatMap((way) => adapters.map((adapter) => ({ ...way, ...adapter })));

  it.each(cases)('in flight, by $way ($adapter)', async ({ prepare, config: adapterConfig }) => {
    const { rig, errorHandler } = await startStrictRig();
    const { config, cancel } = prepare();
    rig.server.script('/', [{ behaviour: 'silent' }]);

    const call = outcome(rig.client.get('/', { ...adapterConfig, ...config }));
    while (rig.server.hits('/') === 0) await sleep(5);
    cancel();

    expect(axios.isCancel((await call).error)).toBe(true);
    expect(errorHandler).not.toHaveBeenCalled();
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, ignored: 1 });
    expect(rig.transitions).toEqual([]);
    await rig.stop();
  });

  it.each(cases)(
    'before the start, by $way ($adapter)',
    async ({ prepare, config: adapterConfig }) => {
      const { rig, errorHandler } = await startStrictRig();
      const { config, cancel } = prepare();
      cancel();

      const { error } = await outcome(rig.client.get('/', { ...adapterConfig, ...config }));

      expect(axios.isCancel(error)).toBe(true);
      expect(rig.server.hits()).toBe(0);
      expect(errorHandler).not.toHaveBeenCalled();
      expect(rig.breaker.snapshot().counts).toMatchObject({ failure: 0, success: 0 });
      expect(rig.transitions).toEqual([]);
      await rig.stop();
    },
  );

  it.each(ways.filter(({ way }) => way !== 'cancelToken, beside a deadline that is far'))(
    'by $way, though the adapter rejects with an error of its own',
    async ({ prepare }) => {
      const { rig, errorHandler } = await startStrictRig();
      const { config, cancel } = prepare();
      const adapter: AxiosAdapter = ({ signal, cancelToken }) =>
        new Promise((_, reject) => {
          const giveUp = () => reject(new Error('hung up'));
          signal?.addEventListener?.('abort', giveUp);
          void cancelToken?.promise.then(giveUp);
        });

      const call = outcome(rig.client.get('/', { ...config, adapter }));
      expect(rig.breaker.snapshot().inFlight).toBe(1);
      cancel();
      await call;

      expect(errorHandler).not.toHaveBeenCalled();
      expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, ignored: 1 });
      await rig.stop();
    },
  );

  it('by cancelToken, after a deadline that the adapter did not heed', async () => {
    const { rig, errorHandler } = await startStrictRig();
    const { token, cancel } = axios.CancelToken.source();
    const controller = new AbortController();
    const adapter: AxiosAdapter = ({ cancelToken }) =>
      new Promise((_, reject) => void cancelToken?.promise.then(reject));

    const call = outcome(
      rig.client.get('/', { cancelToken: token, signal: controller.signal, adapter }),
    );
    controller.abort(new DOMException('too slow', 'TimeoutError'));
    cancel('enough');
    await call;

    expect(errorHandler).not.toHaveBeenCalled();
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, ignored: 1 });
    await rig.stop();
  });

  it('does not hide an answer that came before it', async () => {
    const { rig, errorHandler } = await startStrictRig();
    const controller = new AbortController();
    const adapter: AxiosAdapter = async (config) => {
      const answer = await outcome(wireAdapter(config));
      controller.abort();
      throw answer.error;
    };
    rig.server.script('/', [503]);

    await outcome(rig.client.get('/', { adapter, signal: controller.signal }));

    expect(errorHandler).toHaveBeenCalledTimes(1);
    expect(rig.transitions).toEqual(['OPEN']);
    await rig.stop();
  });

  /** One failure opens it. */
  async function startStrictRig(): Promise<{ rig: Rig; errorHandler: jest.Mock<boolean> }> {
    const errorHandler = jest.fn(() => true);
    return { rig: await startRig({ consecutiveFailures: 1, errorHandler }), errorHandler };
  }
});
