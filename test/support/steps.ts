import type { Axios, AxiosRequestConfig } from 'axios';
import type { ManualClock } from '../../src/testing/index.js';
import type { Answer } from '../../test-server/answer.js';
import { defaultOptions, outcome, type Rig } from './rig.js';

/** A rig, around whatever client. */
export type AnyRig = Pick<Rig<Axios>, 'server' | 'client' | 'breaker' | 'transitions'>;
type Outcome = Awaited<ReturnType<typeof outcome>>;

/** What became of so many calls, made one after the other. */
export async function inTurn(
  count: number,
  call: (index: number) => Promise<unknown>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let index = 0; index < count; index += 1) outcomes.push(await outcome(call(index)));
  return outcomes;
}

/** Opens a circuit that has the default options. */
export async function openWith503(
  { server, client, breaker }: AnyRig,
  config?: AxiosRequestConfig,
): Promise<void> {
  server.script('/outage', [503]);
  await inTurn(defaultOptions.consecutiveFailures, () => client.get('/outage', config));
  expect(breaker.getState()).toBe('open');
}

/** The default cooldown ends at its very millisecond, and the server's healthy answer arrives. */
export async function expectRecovery(
  { server, client, breaker, transitions }: AnyRig,
  clock: ManualClock,
  answer: Answer = {},
): Promise<void> {
  const hits = server.hits('/');
  const told = [...transitions];
  server.script('/', [answer]);

  clock.advance(defaultOptions.cooldown - 1);
  await outcome(client.get('/'));
  expect(breaker.getState()).toBe('open');
  expect(server.hits('/')).toBe(hits);

  clock.advance(1);
  const { value } = await outcome(client.get('/'));
  expect(value).toMatchObject({ status: 200 });
  expect(server.hits('/')).toBe(hits + 1);
  expect(breaker.getState()).toBe('closed');
  expect(transitions).toEqual([...told, 'CLOSE']);
}
