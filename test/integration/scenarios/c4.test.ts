import axios, { type Axios, type AxiosRequestConfig } from 'axios';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectProbeReopens, openHalfway, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { startRigAround } from '../../support/rig-around.js';
import { expectRecovery, inTurn } from '../../support/steps.js';

const lenient = (config: AxiosRequestConfig) => (url: string) =>
  axios.create({ baseURL: url, ...config });

const clients: { readonly client: string; readonly make: (url: string) => Axios }[] = [
  { client: '`validateStatus: null`', make: lenient({ validateStatus: null }) },
  {
    client: '`validateStatus: undefined`',
    make: lenient({ validateStatus: undefined as unknown as null }),
  },
  {
    client: 'a `validateStatus` that is always true',
    make: lenient({ validateStatus: () => true }),
  },
  { client: 'a bare `new axios.Axios()`', make: (baseURL) => new axios.Axios({ baseURL }) },
];

describe('C4 · Bad statuses that resolve', () => {
  expectQuietProcess();

  it.each(clients)('opens at the 5th 503 that resolves under $client', async ({ make }) => {
    const clock = new ManualClock();
    const rig = await startRigAround(make, { clock });
    const { server, client, breaker, transitions } = rig;
    server.script('/', [503]);

    const outcomes = await inTurn(8, () => client.get('/'));

    for (const { value } of outcomes.slice(0, 5)) expect(value).toMatchObject({ status: 503 });
    expect(outcomes.slice(5).every(({ error }) => isBreakerOpenError(error))).toBe(true);
    expect(server.hits('/')).toBe(5);
    expect(transitions).toEqual(['OPEN']);
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 5, failure: 5, refused: 3 });

    await expectRecovery(rig, clock);
    await rig.stop();
  });

  it.each(clients)(
    'opens again when a probe resolves with a 503 under $client',
    async ({ make }) => {
      const clock = new ManualClock();
      const rig = await startRigAround(make, { ...probing, clock });
      const { server, client } = rig;
      await openHalfway(rig, clock);
      server.script('/', [503]);

      await expectProbeReopens(rig, clock, async () => {
        expect(await client.get('/')).toMatchObject({ status: 503 });
      });
      await rig.stop();
    },
  );

  it.each(clients)('takes a 404 that resolves under $client for healthy', async ({ make }) => {
    const rig = await startRigAround(make);
    const { server, client, breaker } = rig;
    server.script('/', [404]);

    const outcomes = await inTurn(8, () => client.get('/'));

    for (const { value } of outcomes) expect(value).toMatchObject({ status: 404 });
    expect(breaker.getState()).toBe('closed');
    expect(breaker.snapshot().counts).toMatchObject({ success: 8, failure: 0 });
    await rig.stop();
  });
});
