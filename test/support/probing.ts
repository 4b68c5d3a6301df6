import type { AxiosRequestConfig } from 'axios';
import type { CircuitBreakerOptions } from '../../src/index.js';
import type { ManualClock } from '../../src/testing/index.js';
import type { Answer } from '../../test-server/answer.js';
import { defaultOptions, outcome } from './rig.js';
import { openWith503, type AnyRig } from './steps.js';
import { times, watch } from './watch.js';

/** With these a rig closes as a breaker does by default: by one probe. */
export const probing = { halfOpen: undefined } satisfies CircuitBreakerOptions;

/** Opens a circuit that has the default options, and lets its cooldown pass. */
export async function openHalfway(
  rig: AnyRig,
  clock: ManualClock,
  config?: AxiosRequestConfig,
): Promise<void> {
  await openWith503(rig, config);
  clock.advance(defaultOptions.cooldown);
  expect(rig.breaker.getState()).toBe('half-open');
}

/** The slot is free: the server's healthy answer to the next call closes the circuit. */
export async function expectProbeCloses(
  { server, client, breaker, transitions }: AnyRig,
  answer: Answer = {},
): Promise<void> {
  const hits = server.hits('/');
  const told = [...transitions];
  server.script('/', [answer]);
  expect(breaker.getState()).toBe('half-open');

  expect(await outcome(client.get('/'))).toMatchObject({ value: { status: 200 } });
  expect(server.hits('/')).toBe(hits + 1);
  expect(breaker.getState()).toBe('closed');
  expect(transitions).toEqual([...told, 'CLOSE']);
}

/** The default cooldown ends at its very millisecond, and one healthy probe closes the circuit. */
export async function expectProbeRecovery(
  rig: AnyRig,
  clock: ManualClock,
  answer?: Answer,
): Promise<void> {
  const hits = rig.server.hits();
  clock.advance(defaultOptions.cooldown - 1);
  await outcome(rig.client.get('/'));
  expect(rig.breaker.getState()).toBe('open');
  expect(rig.server.hits()).toBe(hits);

  clock.advance(1);
  await expectProbeCloses(rig, answer);
}

/**
 * The server fails the next probe: that opens the circuit anew, once, and for a whole cooldown.
 * `refusals`: of how many retries.
 */
export async function expectProbeReopens(
  rig: AnyRig,
  clock: ManualClock,
  probe: () => Promise<unknown>,
  { refusals = 0 } = {},
): Promise<void> {
  const hits = rig.server.hits();
  const told = watch(rig.breaker);
  expect(rig.breaker.getState()).toBe('half-open');

  await probe();
  expect(rig.server.hits()).toBe(hits + 1);
  expect(told).toEqual([
    'FAILURE',
    `OPEN probe-failed ${defaultOptions.cooldown}`,
    ...times(refusals, 'REFUSE'),
  ]);
  expect(rig.breaker.snapshot()).toMatchObject({ state: 'open', inFlight: 0 });
  await expectProbeRecovery(rig, clock);
}
