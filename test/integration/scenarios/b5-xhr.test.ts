/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node"]}
 */
import axios, { type AxiosInstance } from 'axios';
import axios_1_7_2 from 'axios-1.7.2';
import { isBreakerOpenError } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectProbeRecovery, probing } from '../../support/probing.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { startRigAround } from '../../support/rig-around.js';
import { inTurn } from '../../support/steps.js';

// A page in jsdom is of another origin.
const headers = { 'access-control-allow-origin': '*' };

describe('B5 (e) · The xhr adapter puts another config on its errors', () => {
  expectQuietProcess();
  // jsdom logs what the network does.
  beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => jest.restoreAllMocks());

  it.each([
    { version: '1.7.2', copy: axios_1_7_2, changesConfig: true },
    { version: axios.VERSION, copy: axios, changesConfig: false },
  ])(
    'opens once, at the 5th network error, and closes (axios $version)',
    async ({ copy, changesConfig }) => {
      const clock = new ManualClock();
      const seen: unknown[] = [];
      const makeClient = (baseURL: string) => copy.create({ baseURL }) as unknown as AxiosInstance;
      const rig = await startRigAround(makeClient, { ...probing, clock }, copy);
      const { server, client, breaker, transitions } = rig;
      client.interceptors.request.use((config) => {
        seen.push(config);
        return config;
      });
      server.script('/', [{ behaviour: 'reset' }]);

      await inTurn(4, () => client.get('/'));
      expect(transitions).toEqual([]);
      const [fifth] = await inTurn(1, () => client.get('/'));
      expect(fifth?.error).toMatchObject({ code: 'ERR_NETWORK' });
      expect((fifth?.error as { config: unknown }).config !== seen[4]).toBe(changesConfig);
      expect(transitions).toEqual(['OPEN']);

      const refused = await inTurn(3, () => client.get('/'));
      expect(refused.every(({ error }) => isBreakerOpenError(error))).toBe(true);
      expect(server.hits('/')).toBe(5);
      expect(breaker.snapshot().counts).toMatchObject({ admitted: 5, failure: 5, refused: 3 });

      await expectProbeRecovery(rig, clock, { headers });
      await rig.stop();
    },
  );
});
