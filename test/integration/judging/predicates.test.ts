import type { AxiosError, AxiosRequestConfig, AxiosResponse, CreateAxiosDefaults } from 'axios';
import { ManualClock } from '../../../src/testing/index.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { outcome, startRig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { adapterNames, wireAdapter } from '../../support/wire.js';

const transforms: {
  readonly transform: string;
  readonly config: AxiosRequestConfig;
  readonly data: unknown;
}[] = [
  { transform: "axios' own", config: {}, data: { reason: 'maintenance' } },
  {
    transform: "the user's",
    config: { transformResponse: [(data: string) => `transformed ${data}`] },
    data: 'transformed {"reason":"maintenance"}',
  },
];

const adapters: { readonly adapter: string; readonly config: CreateAxiosDefaults }[] = [
  { adapter: 'the default adapter', config: {} },
  { adapter: 'an adapter of the user', config: { adapter: (config) => wireAdapter(config) } },
  ...adapterNames
    .filter((name) => name !== 'xhr')
    .map((name) => ({ adapter: `'${String(name)}'`, config: { adapter: String(name) } })),
];

const cases = transforms.flatMap(({ config, ...transform }) =>
  adapters.map(({ adapter, config: adapterConfig }) => ({
    ...transform,
    adapter,
    config: { ...config, ...adapterConfig } as CreateAxiosDefaults,
  })),
);

const maintenance = { body: { reason: 'maintenance' } };

describe('What the predicates are asked', () => {
  expectQuietProcess();

  it.each(cases)(
    "shows errorHandler the caller's own error, its data as $transform transform left it ($adapter)",
    async ({ config, data }) => {
      const asked: { error: AxiosError; data: unknown }[] = [];
      const rig = await startRig(
        {
          errorHandler: (error) => {
            asked.push({ error, data: error.response?.data });
            return true;
          },
        },
        config,
      );
      rig.server.script('/', [{ status: 503, ...maintenance }]);

      const { error } = await outcome(rig.client.get('/'));

      expect(asked).toHaveLength(1);
      expect(asked[0]?.error).toBe(error);
      expect(asked[0]?.data).toEqual(data);
      expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, failure: 1 });
      await rig.stop();
    },
  );

  it.each(cases)(
    "shows responseHandler the caller's own response, its data as $transform transform left it ($adapter)",
    async ({ config, data }) => {
      const asked: { response: AxiosResponse; data: unknown }[] = [];
      const rig = await startRig(
        {
          responseHandler: (response) => {
            asked.push({ response, data: response.data });
            return true;
          },
        },
        config,
      );
      rig.server.script('/', [maintenance]);

      const { value } = await outcome(rig.client.get('/'));

      expect(asked).toHaveLength(1);
      expect(asked[0]?.response).toBe(value);
      expect(asked[0]?.data).toEqual(data);
      expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, failure: 1 });
      await rig.stop();
    },
  );

  it.each(orders)(
    'has judged before a response interceptor (put on %s the breaker) hears of the answer',
    async (order) => {
      const statesSeen: string[] = [];
      const rig = await startRigBeside(order, ({ interceptors }) =>
        interceptors.response.use(undefined, (error) => {
          statesSeen.push(rig.breaker.getState());
          throw error;
        }),
      );
      rig.server.script('/', [503]);

      await inTurn(5, () => rig.client.get('/'));

      expect(statesSeen).toEqual(['closed', 'closed', 'closed', 'closed', 'open']);
      await rig.stop();
    },
  );

  it('shows the raw data, but the right status, where a plugin wraps the guard in a promise of its own', async () => {
    const asked: unknown[] = [];
    const rig = await startRigBeside(
      'before',
      ({ interceptors }) =>
        interceptors.request.use((config) => {
          const { adapter } = config;
          if (typeof adapter !== 'function') throw new Error('the guard is not on yet');
          return { ...config, adapter: async (sent) => await adapter(sent) };
        }),
      {
        errorHandler: ({ response }) => {
          asked.push({ status: response?.status, data: response?.data });
          return true;
        },
      },
    );
    rig.server.script('/', [{ status: 503, ...maintenance }]);

    const outcomes = await inTurn(6, () => rig.client.get('/'));

    expect(asked).toEqual(
      Array.from({ length: 5 }, () => ({ status: 503, data: '{"reason":"maintenance"}' })),
    );
    expect(outcomes[0]?.error).toMatchObject({ response: { data: maintenance.body } });
    expect(rig.server.hits('/')).toBe(5);
    expect(rig.transitions).toEqual(['OPEN']);
    await rig.stop();
  });
});

describe('responseHandler', () => {
  expectQuietProcess();

  const saysNo = (response: AxiosResponse<{ ok: boolean }>) => !response.data.ok;

  it('makes a failure of a 200 that means no, and the caller still gets it', async () => {
    const clock = new ManualClock();
    const rig = await startRig({ responseHandler: saysNo, clock });
    const { server, client, breaker, transitions } = rig;
    server.script('/', [{ body: { ok: false } }]);

    const outcomes = await inTurn(6, () => client.get('/'));

    for (const { value } of outcomes.slice(0, 5)) expect(value).toMatchObject({ status: 200 });
    expect(server.hits('/')).toBe(5);
    expect(transitions).toEqual(['OPEN']);
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 5, failure: 5, refused: 1 });
    await rig.stop();
  });

  it('opens at once under the first-error rule', async () => {
    const rig = await startRig({
      consecutiveFailures: undefined,
      errorHandler: () => false,
      responseHandler: saysNo,
    });
    const reasons: string[] = [];
    rig.breaker.on('OPEN', ({ reason }) => reasons.push(reason));
    rig.server.script('/', [{ body: { ok: true } }, { body: { ok: false } }]);

    await inTurn(3, () => rig.client.get('/'));

    expect(rig.server.hits('/')).toBe(2);
    expect(reasons).toEqual(['first-error']);
    await rig.stop();
  });

  it('has the last word on a 503 that validateStatus let through', async () => {
    const errorHandler = jest.fn(() => true);
    const rig = await startRig(
      { errorHandler, responseHandler: () => false },
      { validateStatus: null },
    );
    rig.server.script('/', [503]);

    await inTurn(6, () => rig.client.get('/'));

    expect(errorHandler).not.toHaveBeenCalled();
    expect(rig.breaker.snapshot().counts).toMatchObject({ success: 6, failure: 0 });
    expect(rig.breaker.getState()).toBe('closed');
    await rig.stop();
  });

  it('is not asked about an error', async () => {
    const responseHandler = jest.fn(() => true);
    const rig = await startRig({ responseHandler });
    rig.server.script('/', [404]);

    await inTurn(1, () => rig.client.get('/'));

    expect(responseHandler).not.toHaveBeenCalled();
    expect(rig.breaker.snapshot().counts).toMatchObject({ success: 1, failure: 0 });
    await rig.stop();
  });

  it.each([
    {
      fault: 'throws',
      responseHandler: () => {
        throw new Error('own');
      },
    },
    { fault: 'promises', responseHandler: () => Promise.resolve(true) as unknown as boolean },
    {
      fault: 'promises, and breaks it',
      responseHandler: () => Promise.reject(new Error('own')) as unknown as boolean,
    },
  ])('leaves it to the status when it $fault', async ({ responseHandler }) => {
    const rig = await startRig({ responseHandler }, { validateStatus: null });
    rig.server.script('/', [200, 200, 503]);

    const outcomes = await inTurn(8, () => rig.client.get('/'));

    expect(outcomes[0]).toMatchObject({ value: { status: 200 } });
    expect(outcomes[6]).toMatchObject({ value: { status: 503 } });
    expect(rig.breaker.snapshot().counts).toMatchObject({ success: 2, failure: 5, refused: 1 });
    expect(rig.faults.map(({ source }) => source)).toEqual(['responseHandler']);
    await rig.stop();
  });
});
