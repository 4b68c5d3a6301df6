import axios, { type AxiosAdapter, type AxiosRequestConfig } from 'axios';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import type { Rig } from '../../support/rig.js';
import { startRigAround } from '../../support/rig-around.js';
import { inTurn } from '../../support/steps.js';
import { counts, times, watch } from '../../support/watch.js';
import { adapterNames, wireAdapter } from '../../support/wire.js';

const counted = jest.fn<ReturnType<AxiosAdapter>, Parameters<AxiosAdapter>>(wireAdapter);
const knowsNames = adapterNames.includes('http');
const knowsFetch = adapterNames.includes('fetch');

/** Names came with axios 1.2, and `fetch` with 1.7. */
const adapters: { title: string; adapter: unknown; sendsBy: 'http' | 'fetch' }[] = [
  { title: 'a function', adapter: counted, sendsBy: 'http' },
  { title: 'undefined', adapter: undefined, sendsBy: 'http' },
  ...(knowsNames
    ? ([
        { title: "'http'", adapter: 'http', sendsBy: 'http' },
        { title: "['xhr', 'http']", adapter: ['xhr', 'http'], sendsBy: 'http' },
        { title: 'a list of a function', adapter: [counted], sendsBy: 'http' },
      ] as const)
    : []),
  ...(knowsFetch
    ? ([
        { title: "'fetch'", adapter: 'fetch', sendsBy: 'fetch' },
        { title: "['fetch', 'http']", adapter: ['fetch', 'http'], sendsBy: 'fetch' },
      ] as const)
    : []),
];

const places = ["the instance's default", 'given per call'] as const;
const cases = adapters.flatMap((given) => places.map((place) => ({ ...given, place })));

describe('G10 · Adapter given as name, list or function per call', () => {
  expectQuietProcess();
  let rig: Rig;
  beforeEach(() => counted.mockClear());
  afterEach(() => rig.stop());

  it.each(cases)(
    'judges the same where it is $title, $place, and leaves the defaults as they were',
    async ({ adapter, place, sendsBy }) => {
      const clock = new ManualClock();
      const isDefault = place === "the instance's default";
      const config = (isDefault ? {} : { adapter }) as AxiosRequestConfig;
      let defaultAdapter: unknown;
      let copyOfDefault: unknown;
      rig = await startRigAround(
        (url) => {
          const client = axios.create({ baseURL: url });
          if (isDefault) Reflect.set(client.defaults, 'adapter', adapter);
          defaultAdapter = client.defaults.adapter;
          copyOfDefault = [defaultAdapter].flat();
          return client;
        },
        { ...probing, clock },
      );
      const { server, client, breaker } = rig;
      const told = watch(breaker);
      const expectDefaultsUntouched = () => {
        expect(client.defaults.adapter).toBe(defaultAdapter);
        expect([client.defaults.adapter].flat()).toEqual(copyOfDefault);
      };
      server.script('/', [...times(5, 503), 200]);
      expectDefaultsUntouched();

      const outcomes = await inTurn(6, () => client.get('/', config));
      for (const { error } of outcomes.slice(0, 5)) {
        expect(error).toMatchObject({ response: { status: 503 } });
      }
      expect(isBreakerOpenError(outcomes[5]?.error)).toBe(true);
      clock.advance(300);
      const response = await client.get('/', config);
      expect(response.status).toBe(200);
      expect(response.config.adapter).toEqual(adapter ?? defaultAdapter);

      expect(told).toEqual([
        ...times(5, 'FAILURE'),
        'OPEN consecutive 300',
        'REFUSE',
        'HALF_OPEN',
        'SUCCESS',
        'CLOSE probes-passed 300',
      ]);
      expect(breaker.snapshot().counts).toEqual(
        counts({ admitted: 6, refused: 1, failure: 5, success: 1, opened: 1 }),
      );
      const senders = server
        .requests()
        .map(({ headers }) => (headers['sec-fetch-mode'] === undefined ? 'http' : 'fetch'));
      expect(senders).toEqual(times(6, sendsBy));
      expect(counted).toHaveBeenCalledTimes([adapter].flat().includes(counted) ? 6 : 0);

      breaker.detach();
      expectDefaultsUntouched();
    },
  );

  it("sends by the call's own adapter, not by the instance's default", async () => {
    const byDefault = jest.fn<ReturnType<AxiosAdapter>, Parameters<AxiosAdapter>>(wireAdapter);
    rig = await startRigAround((url) => axios.create({ baseURL: url, adapter: byDefault }));
    const { server, client, breaker } = rig;
    server.script('/', [200]);

    await client.get('/', { adapter: counted });
    expect(counted).toHaveBeenCalledTimes(1);
    expect(byDefault).not.toHaveBeenCalled();
    await client.get('/');
    expect(byDefault).toHaveBeenCalledTimes(1);
    expect(breaker.snapshot().counts).toEqual(counts({ admitted: 2, success: 2 }));
  });
});
