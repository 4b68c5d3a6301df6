import type { AxiosRequestConfig, CreateAxiosDefaults } from 'axios';
import { isBreakerOpenError } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { isAxiosFrom } from './axios-version.js';
import { startRig } from './rig.js';
import { expectRecovery, inTurn } from './steps.js';

/** How one can name a timeout, and what the http and xhr adapters make of it. */
export const timeoutNames: {
  readonly naming: string;
  readonly config: AxiosRequestConfig;
  readonly error: object;
}[] = [
  { naming: 'by default', config: {}, error: { code: 'ECONNABORTED' } },
  {
    naming: 'with clarifyTimeoutError',
    config: { transitional: { clarifyTimeoutError: true } },
    error: { code: 'ETIMEDOUT' },
  },
  {
    naming: 'with timeoutErrorMessage',
    config: { timeoutErrorMessage: 'too slow' },
    // The http adapter of axios 0.27 does not know it.
    error: { code: 'ECONNABORTED', ...(isAxiosFrom(0, 28) && { message: 'too slow' }) },
  },
];

/** The server is asked thrice, takes a second each time, and may take 200 ms: enough for each request to arrive. */
export async function expectThirdTimeoutOpens(
  config: CreateAxiosDefaults,
  error: object,
): Promise<void> {
  const clock = new ManualClock();
  const rig = await startRig({ consecutiveFailures: 3, clock }, config);
  const { server, client, breaker, transitions } = rig;
  // A page in jsdom is of another origin.
  const headers = { 'access-control-allow-origin': '*' };
  server.script('/', [{ delay: 1000, headers }]);
  const call = () => client.get('/', { timeout: 200 });

  const early = await inTurn(2, call);
  expect(transitions).toEqual([]);
  const [third, fourth] = await inTurn(2, call);

  for (const timeout of [...early, third]) expect(timeout?.error).toMatchObject(error);
  expect(isBreakerOpenError(fourth?.error)).toBe(true);
  expect(transitions).toEqual(['OPEN']);
  expect(server.hits('/')).toBe(3);
  expect(breaker.snapshot().counts).toMatchObject({ admitted: 3, failure: 3, refused: 1 });

  await expectRecovery(rig, clock, { headers });
  await rig.stop();
}
