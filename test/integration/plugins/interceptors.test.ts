import type { AxiosError, AxiosInstance, AxiosResponse } from 'axios';
import {
  isBreakerOpenError,
  staticFallback,
  type CircuitBreakerOptions,
} from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { arrangements, startArranged } from '../../support/arrangements.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, sleep, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { counts, times, watch } from '../../support/watch.js';
import { wireAdapter } from '../../support/wire.js';
import { until } from '../../test-server/exchange.js';

type Outcome = Awaited<ReturnType<typeof outcome>>;

const friendly = new Error('Something went wrong');
const own = new Error('own');
const never = () => new Promise<never>(() => undefined);
const fallback = staticFallback('instead');

interface Habit {
  readonly habit: string;
  readonly plugIn: (client: AxiosInstance) => void;
  /** What the caller gets where the circuit refuses. */
  readonly expectRefusal: (given: Outcome) => void;
  /** What the caller gets of a 503. */
  readonly expectFailure: (given: Outcome) => void;
  /** What the caller gets of a fallback's answer that the interceptor sees. */
  readonly expectAnswer: (given: Outcome) => void;
  /** What the caller gets of the answer to a failure where the interceptor is registered first. */
  readonly expectAnswerBehind: (given: Outcome) => void;
}

const getsRefusal = ({ error }: Outcome) => expect(isBreakerOpenError(error)).toBe(true);
const gets503 = ({ error }: Outcome) => expect(error).toMatchObject({ response: { status: 503 } });
const getsAnswer = ({ value }: Outcome) =>
  expect(value).toMatchObject({ data: 'instead', fallback: 'static' });
const getsFriendly = ({ error }: Outcome) => expect(error).toBe(friendly);
const getsNothing = (given: Outcome) => expect(given).toEqual({ value: undefined });

const habits: Habit[] = [
  {
    habit: 'that unwraps responses',
    plugIn: ({ interceptors }) =>
      void interceptors.response.use(({ data }: AxiosResponse) => data as never),
    expectRefusal: getsRefusal,
    expectFailure: gets503,
    expectAnswer: ({ value }) => expect(value).toBe('instead'),
    expectAnswerBehind: getsAnswer,
  },
  {
    habit: 'that replaces errors',
    plugIn: ({ interceptors }) =>
      void interceptors.response.use(undefined, () => Promise.reject(friendly)),
    expectRefusal: getsFriendly,
    expectFailure: getsFriendly,
    expectAnswer: getsAnswer,
    expectAnswerBehind: getsFriendly,
  },
  {
    habit: 'that swallows errors',
    plugIn: ({ interceptors }) => void interceptors.response.use(undefined, () => undefined),
    expectRefusal: getsNothing,
    expectFailure: getsNothing,
    expectAnswer: getsAnswer,
    expectAnswerBehind: getsNothing,
  },
  {
    habit: 'that copies the config',
    plugIn: ({ interceptors }) => void interceptors.request.use((config) => ({ ...config })),
    expectRefusal: getsRefusal,
    expectFailure: gets503,
    expectAnswer: getsAnswer,
    expectAnswerBehind: getsAnswer,
  },
];

describe.each(arrangements)('interceptors registered $arrangement', (arrangement) => {
  expectQuietProcess();
  let rig: Rig;
  afterEach(() => rig.stop());

  async function start(
    plugIn: (client: AxiosInstance) => void,
    options: CircuitBreakerOptions = {},
  ) {
    rig = await startArranged(arrangement, plugIn, { clock: new ManualClock(), ...options });
    rig.server.script('/', [503]);
    return rig;
  }

  describe.each(habits)(
    'one $habit',
    ({ plugIn, expectRefusal, expectFailure, expectAnswer, expectAnswerBehind }) => {
      it('gets refusals as it gets any error', async () => {
        const { server, client, breaker } = await start(plugIn);
        breaker.open();
        expectRefusal(await outcome(client.get('/')));
        expect(server.hits()).toBe(0);
        expect(breaker.snapshot().counts).toEqual(counts({ refused: 1, opened: 1 }));
      });

      it('hides no verdict', async () => {
        const { server, client, breaker } = await start(plugIn);
        const told = watch(breaker);
        for (const given of await inTurn(5, () => client.get('/'))) expectFailure(given);
        expect(told).toEqual([...times(5, 'FAILURE'), 'OPEN consecutive 300']);
        expect(server.hits()).toBe(5);
      });

      it('gets the answer of a fallback to a refusal as it gets any response', async () => {
        const { client, breaker } = await start(plugIn, { fallback });
        breaker.open();
        expectAnswer(await outcome(client.get('/')));
      });

      const isBehind = arrangement.order === 'before';
      const place = isBehind
        ? 'ahead of it, and gets the failure'
        : 'behind it, and gets the answer';
      it(`stands, where a fallback answers failures, ${place}`, async () => {
        const { client } = await start(plugIn, { fallback, fallbackOn: 'failure' });
        const given = await outcome(client.get('/'));
        if (isBehind) expectAnswerBehind(given);
        else expectAnswer(given);
      });
    },
  );

  describe('a request interceptor that hangs', () => {
    it('holds nothing of the breaker', async () => {
      const { server, client, breaker } = await start(
        ({ interceptors }) =>
          void interceptors.request.use((config) => (config.url === '/hung' ? never() : config)),
      );
      void client.get('/hung');
      await sleep(10);
      expect(breaker.snapshot()).toMatchObject({ inFlight: 0, queued: 0, counts: counts({}) });
      server.script('/', [200]);
      expect((await client.get('/')).status).toBe(200);
    });
  });

  describe('a response interceptor that hangs', () => {
    it('keeps back neither verdict nor place', async () => {
      const { server, client, breaker } = await start(
        ({ interceptors }) => void interceptors.response.use(never, never),
        { maxConcurrent: 1 },
      );
      server.script('/', [200]);
      for (const path of times(2, '/')) void client.get(path);
      await until(() => breaker.snapshot().counts.success === 1);
      void client.get('/');
      await until(() => breaker.snapshot().counts.success === 2);
      expect(breaker.snapshot().counts).toEqual(counts({ admitted: 2, success: 2, refused: 1 }));
    });
  });

  describe('a request interceptor that throws', () => {
    it('reaches the caller, asks no fallback and counts nowhere', async () => {
      const { server, client, breaker } = await start(
        ({ interceptors }) => void interceptors.request.use(() => Promise.reject(own)),
        { fallback, fallbackOn: 'failure' },
      );
      breaker.open();
      expect(await outcome(client.get('/'))).toEqual({ error: own });
      expect(server.hits()).toBe(0);
      expect(breaker.snapshot().counts).toEqual(counts({ opened: 1 }));
    });
  });

  describe('a response interceptor that throws', () => {
    it('reaches the caller, asks no fallback and leaves the verdict what it was', async () => {
      const { server, client, breaker } = await start(
        ({ interceptors }) =>
          void interceptors.response.use(() => {
            throw own;
          }),
        { fallback, fallbackOn: 'failure' },
      );
      server.script('/', [200]);
      expect(await outcome(client.get('/'))).toEqual({ error: own });
      expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, success: 1 }));
    });

    it('makes of a refusal what it throws', async () => {
      const { client, breaker } = await start(
        ({ interceptors }) =>
          void interceptors.response.use(undefined, (error: AxiosError) => {
            throw isBreakerOpenError(error) ? own : error;
          }),
      );
      breaker.open();
      expect(await outcome(client.get('/'))).toEqual({ error: own });
    });
  });

  describe('a request interceptor that sets an adapter of its own', () => {
    const { asksFirst } = arrangement;

    it(`${asksFirst ? 'does not bypass' : 'bypasses'} the breaker`, async () => {
      const { server, client, breaker } = await start(
        ({ interceptors }) =>
          void interceptors.request.use((config) => ({ ...config, adapter: wireAdapter })),
      );
      server.script('/', [200]);
      breaker.open();
      const { error } = await outcome(client.get('/'));
      expect(isBreakerOpenError(error)).toBe(asksFirst);
      expect(server.hits()).toBe(asksFirst ? 0 : 1);
    });
  });
});
