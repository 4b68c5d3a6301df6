import axios, { type AxiosInstance, type AxiosRequestConfig } from 'axios';
import { ManualClock } from '../../../src/testing/index.js';
import { expectProbeCloses, openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { startRigBeside, type Order } from '../../support/rig-around.js';
import { outcome } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { adapterNames } from '../../support/wire.js';

/** What is wrong with the requests for `/faulty`, and with no others. */
interface Fault {
  readonly fault: string;
  readonly order: Order;
  readonly interceptor?: () => never;
  readonly config?: AxiosRequestConfig;
  readonly reachesAdapter?: true;
}

const thrown: Error[] = [];
const throwOwn = (): never => {
  const error = new Error('own');
  thrown.push(error);
  throw error;
};
const returnNothing = () => undefined as never;

const usersOwn: Fault[] = [
  { fault: 'an interceptor that throws', order: 'before', interceptor: throwOwn },
  { fault: 'an interceptor that throws', order: 'after', interceptor: throwOwn },
  {
    fault: 'a transformRequest that throws',
    order: 'after',
    config: { transformRequest: [throwOwn] },
  },
  {
    fault: 'an adapter that throws',
    order: 'after',
    config: { adapter: throwOwn },
    reachesAdapter: true,
  },
];

const axiosOwn: Fault[] = [
  { fault: 'an interceptor that returns nothing', order: 'before', interceptor: returnNothing },
  { fault: 'an interceptor that returns nothing', order: 'after', interceptor: returnNothing },
];
if (adapterNames.length > 0) {
  axiosOwn.push({ fault: 'an unknown adapter', order: 'after', config: { adapter: 'pigeon' } });
}

describe('A3 · Faults before the wire are not upstream failures', () => {
  expectQuietProcess();
  const errorHandler = jest.fn(() => true);
  beforeEach(() => {
    thrown.length = 0;
    errorHandler.mockClear();
  });

  it.each(usersOwn)(
    '$fault ($order the breaker) reaches the caller as it is, and counts against nobody',
    async (given) => {
      const rig = await startFaultyRig(given);

      const outcomes = await inTurn(20, () => rig.client.get('/faulty', given.config));

      expect(thrown).toHaveLength(20);
      outcomes.forEach(({ error }, index) => expect(error).toBe(thrown[index]));
      const attempts = given.reachesAdapter ? 20 : 0;
      expectUnblamed(rig, { admitted: attempts, ignored: attempts });
      await rig.stop();
    },
  );

  it.each(axiosOwn)(
    '$fault ($order the breaker) gets the error of axios itself, and counts against nobody',
    async (given) => {
      const rig = await startFaultyRig(given);
      const plain = axios.create({ baseURL: rig.server.url });
      plugInto(plain, given);
      const { error: expected } = await outcome(plain.get('/faulty', given.config));

      const outcomes = await inTurn(20, () => rig.client.get('/faulty', given.config));

      for (const { error } of outcomes) {
        expect(error).toEqual(expected);
        expect((error as Error).constructor).toBe((expected as Error).constructor);
      }
      expectUnblamed(rig, { admitted: 0, ignored: 0 });
      await rig.stop();
    },
  );

  it.each([...usersOwn, ...axiosOwn])(
    '$fault ($order the breaker) as the probe leaves the slot free for the next call',
    async (given) => {
      const clock = new ManualClock();
      const rig = await startFaultyRig(given, clock);
      const { server, client, breaker } = rig;
      await openHalfway(rig, clock);
      const hits = server.hits();

      await outcome(client.get('/faulty', given.config));
      expect(server.hits()).toBe(hits);
      expect(breaker.snapshot()).toMatchObject({ inFlight: 0, counts: { failure: 5, refused: 0 } });
      await expectProbeCloses(rig);
      await rig.stop();
    },
  );

  const startFaultyRig = (fault: Fault, clock = new ManualClock()) =>
    startRigBeside(fault.order, (client) => plugInto(client, fault), {
      ...probing,
      clock,
      errorHandler,
    });

  function expectUnblamed(
    { server, breaker, transitions }: Awaited<ReturnType<typeof startFaultyRig>>,
    counts: { readonly admitted: number; readonly ignored: number },
  ): void {
    expect(server.hits()).toBe(0);
    expect(breaker.getState()).toBe('closed');
    expect(breaker.snapshot().counts).toMatchObject({ ...counts, failure: 0, refused: 0 });
    expect(errorHandler).not.toHaveBeenCalled();
    expect(transitions).toEqual([]);
  }
});

function plugInto({ interceptors }: AxiosInstance, { interceptor }: Fault): void {
  if (interceptor === undefined) return;
  interceptors.request.use((config) => (config.url === '/faulty' ? interceptor() : config));
}
