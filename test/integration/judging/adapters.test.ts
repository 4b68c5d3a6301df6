import axios, {
  type AxiosAdapter,
  type AxiosInstance,
  type AxiosRequestConfig,
  type AxiosResponse,
} from 'axios';
import axios_1_5_1 from 'axios-1.5.1';
import axios_1_7_9 from 'axios-1.7.9';
import { CircuitBreaker, type AxiosStaticLike } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { describeIf } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { startRigAround, startRigBeside } from '../../support/rig-around.js';
import { outcome, startRig } from '../../support/rig.js';
import { expectRecovery, inTurn } from '../../support/steps.js';
import { adapterNames, wireAdapter } from '../../support/wire.js';

/** An adapter as users write them, around the one that asks the server. */
type Wrap = (ask: AxiosAdapter) => (config: Parameters<AxiosAdapter>[0]) => unknown;

const wraps: { readonly adapter: string; readonly wrap: Wrap }[] = [
  { adapter: 'a function that returns a promise', wrap: (ask) => (config) => ask(config) },
  { adapter: 'an async function', wrap: (ask) => async (config) => await ask(config) },
  {
    adapter: 'a function that returns a thenable',
    wrap: (ask) => (config) => {
      const answer = ask(config);
      return { then: (...handlers: Parameters<typeof answer.then>) => answer.then(...handlers) };
    },
  },
];

const asAdapter = (adapter: unknown) => adapter as AxiosAdapter;

const rejections: { readonly given: string; readonly reason: unknown }[] = [
  { given: 'undefined', reason: undefined },
  { given: 'a string', reason: 'no route' },
  { given: 'an error of its own', reason: new Error('no route') },
];

describe('Judging what an adapter gives', () => {
  expectQuietProcess();

  it.each(wraps)('opens on the 503s of $adapter, and closes', async ({ wrap }) => {
    const clock = new ManualClock();
    const made: unknown[] = [];
    const askServer: AxiosAdapter = (config) => {
      const answer = wireAdapter(config);
      answer.catch((error: unknown) => made.push(error));
      return answer;
    };
    const rig = await startRig({ clock }, { adapter: asAdapter(wrap(askServer)) });
    const { server, client, breaker, transitions } = rig;
    server.script('/', [503]);

    const outcomes = await inTurn(6, () => client.get('/'));

    expect(made).toHaveLength(5);
    made.forEach((error, index) => expect(outcomes[index]?.error).toBe(error));
    expect(server.hits('/')).toBe(5);
    expect(transitions).toEqual(['OPEN']);
    await expectRecovery(rig, clock);
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 6, failure: 5, success: 1 });
    await rig.stop();
  });

  it.each(rejections)(
    'counts a rejection with $given as a failure, and hands it on',
    async ({ reason }) => {
      const rig = await startRig({}, { adapter: () => Promise.reject(reason) });

      const outcomes = await inTurn(6, () => rig.client.get('/'));

      for (const failed of outcomes.slice(0, 5)) {
        expect(Object.keys(failed)).toEqual(['error']);
        expect(failed.error).toBe(reason);
      }
      expect(rig.transitions).toEqual(['OPEN']);
      expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 5, failure: 5, refused: 1 });
      await rig.stop();
    },
  );

  it.each([
    { given: 'nothing', adapter: asAdapter(() => undefined) },
    { given: 'a promise of nothing', adapter: asAdapter(() => Promise.resolve()) },
    { given: 'a promise of a string', adapter: asAdapter(() => Promise.resolve('pong')) },
  ])('says nothing about the server where an adapter returns $given', async ({ adapter }) => {
    const clock = new ManualClock();
    const rig = await startRig({ clock });
    const { client, breaker, transitions } = rig;

    await inTurn(6, () => client.get('/', { adapter }));

    expect(transitions).toEqual([]);
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 6, ignored: 6 });
    rig.server.script('/', [200]);
    expect(await outcome(client.get('/'))).toMatchObject({ value: { status: 200 } });
    await rig.stop();
  });

  it('rejects, and throws nothing, where an adapter throws synchronously', async () => {
    const own = new Error('own');
    const rig = await startRig({ consecutiveFailures: 1 });
    const adapter = () => {
      throw own;
    };

    const call = rig.client.get('/', { adapter });

    expect((await outcome(call)).error).toBe(own);
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, ignored: 1 });
    await rig.stop();
  });

  it('leaves nothing in flight where an adapter rejects with an error that cannot be read', async () => {
    const unreadable = Object.defineProperty(new Error('own'), 'response', {
      get: () => {
        throw new Error('unreadable');
      },
    });
    const rig = await startRig();

    await outcome(rig.client.get('/', { adapter: () => Promise.reject(unreadable) }));

    expect(rig.breaker.snapshot()).toMatchObject({ inFlight: 0, counts: { admitted: 1 } });
    await rig.stop();
  });

  it('asks again, and counts again, where a plugin calls the guard twice', async () => {
    const rig = await startRigBeside('before', ({ interceptors }) =>
      interceptors.request.use((config) => {
        const guard = config.adapter as AxiosAdapter;
        config.adapter = async (sent) => {
          const first = await outcome(guard(sent));
          return 'error' in first ? guard(sent) : (first.value as AxiosResponse);
        };
        return config;
      }),
    );
    rig.server.script('/', [503, 200]);

    expect(await outcome(rig.client.get('/'))).toMatchObject({ value: { status: 200 } });

    expect(rig.server.hits('/')).toBe(2);
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 2, failure: 1, success: 1 });
    await rig.stop();
  });

  it('says nothing about the server where an earlier cache answered', async () => {
    const rig = await startRig({ consecutiveFailures: 1 });
    const adapter = async (config: Parameters<AxiosAdapter>[0]) => ({
      ...(await wireAdapter(config)),
      cached: true,
    });
    rig.server.script('/', [503]);

    await outcome(rig.client.get('/', { adapter, validateStatus: null }));

    expect(rig.transitions).toEqual([]);
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, ignored: 1 });
    await rig.stop();
  });
});

describe("A failing call rejects with an AxiosError of the client's own axios", () => {
  expectQuietProcess();

  const names = adapterNames.filter((name) => name !== 'xhr').map(String);
  const givens: { readonly adapter: AxiosRequestConfig['adapter']; readonly written: string }[] = [
    { written: 'nothing', adapter: undefined },
    { written: 'a function', adapter: wireAdapter },
    ...names.flatMap((name) => [
      { written: `'${name}'`, adapter: name },
      { written: `['${name}']`, adapter: [name] },
    ]),
    ...(names.length > 0 ? [{ written: "['xhr', 'http']", adapter: ['xhr', 'http'] }] : []),
  ];

  it.each(givens)('with $written as the adapter of a call', async ({ adapter }) => {
    const rig = await startRig();
    rig.server.script('/', [503]);
    const { error } = await outcome(rig.client.get('/', adapter && { adapter }));
    expect(error).toBeInstanceOf(axios.AxiosError);
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, failure: 1 });
    await rig.stop();
  });

  it.each(givens)('with $written as the default adapter', async ({ adapter }) => {
    const rig = await startRig({}, adapter && { adapter });
    const before = rig.client.defaults.adapter;
    rig.server.script('/', [503]);
    const { error } = await outcome(rig.client.get('/'));
    expect(error).toBeInstanceOf(axios.AxiosError);
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, failure: 1 });
    expect(rig.client.defaults.adapter).toBe(before);
    await rig.stop();
  });

  const other = axios.VERSION === axios_1_7_9.VERSION ? axios_1_5_1 : axios_1_7_9;
  const makeOther = (baseURL: string) => other.create({ baseURL }) as unknown as AxiosInstance;

  it('with a client of another copy, when that copy is given too', async () => {
    const rig = await startRigAround(makeOther, {}, other);
    rig.server.script('/', [503]);
    const { error } = await outcome(rig.client.get('/', { adapter: 'http' }));
    expect(error).toBeInstanceOf(other.AxiosError);
    expect(error).not.toBeInstanceOf(axios.AxiosError);
    await rig.stop();
  });

  describeIf((axios as AxiosStaticLike).getAdapter === undefined)(
    'where our axios cannot look up an adapter',
    () => {
      it('throws when it is attached to a client whose default adapter is a list of names', () => {
        expect(() => new CircuitBreaker(makeOther('http://localhost'))).toThrow('getAdapter');
      });
    },
  );
});
