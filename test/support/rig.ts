import axios, { type Axios, type AxiosInstance, type CreateAxiosDefaults } from 'axios';
import {
  CircuitBreakerWithEmitter,
  type AxiosStaticLike,
  type BreakerEventName,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import { startTestServer, type TestServer } from '../../test-server/start.js';

/** A client with a breaker, a server for them alone, and everything that the breaker told. */
export interface Rig<Client extends Axios = AxiosInstance> {
  readonly server: TestServer;
  readonly client: Client;
  readonly breaker: CircuitBreakerWithEmitter;
  /** The names of the transitions told, in order. */
  readonly transitions: string[];
  /** What `onFault` was told, in order. */
  readonly faults: { readonly error: unknown; readonly source: string }[];
  /** Asserts what holds after every scenario, and closes the server. */
  stop(): Promise<void>;
}

/** Opens on 5 failures in a row, for 300 ms, and closes by the clock. */
export const defaultOptions = {
  consecutiveFailures: 5,
  cooldown: 300,
  cooldownFactor: 1,
  cooldownJitter: 0,
  halfOpen: false,
} satisfies CircuitBreakerOptions;

const servers = new Set<TestServer>();

// A test that fails before it stops its rig must not leave a server behind: Jest would never end.
afterEach(async () => {
  for (const server of servers) await server.close();
  servers.clear();
});

export async function startServer(): Promise<TestServer> {
  const server = await startTestServer();
  servers.add(server);
  return server;
}

export async function startRig(
  options: CircuitBreakerOptions = {},
  config: CreateAxiosDefaults = {},
): Promise<Rig> {
  const server = await startServer();
  return attachRig(server, axios.create({ baseURL: server.url, ...config }), options);
}

/** `copy`: the axios that the client is of, where it is not the one that is imported. */
export function attachRig<Client extends Axios>(
  server: TestServer,
  client: Client,
  options: CircuitBreakerOptions,
  copy?: AxiosStaticLike,
): Rig<Client> {
  const faults: Rig['faults'][number][] = [];
  const breaker = new CircuitBreakerWithEmitter(
    { instance: client, axios: copy },
    { ...defaultOptions, onFault: (error, source) => faults.push({ error, source }), ...options },
  );
  const transitions = recordTransitions(breaker);
  const stop = async () => {
    await server.close();
    expectAtRest(breaker);
    expectAlternating(transitions);
  };
  return { server, client, breaker, transitions, faults, stop };
}

export function recordTransitions(breaker: CircuitBreakerWithEmitter): string[] {
  const transitions: string[] = [];
  const names: BreakerEventName[] = ['OPEN', 'HALF_OPEN', 'CLOSE'];
  for (const name of names) breaker.on(name, () => transitions.push(name));
  return transitions;
}

/** Nothing in flight, and every request that was admitted has exactly one verdict. */
export function expectAtRest(breaker: CircuitBreakerWithEmitter): void {
  const { inFlight, counts } = breaker.snapshot();
  expect(inFlight).toBe(0);
  expect(counts.success + counts.failure + counts.ignored).toBe(counts.admitted);
}

function expectAlternating(transitions: readonly string[]): void {
  const edges = transitions.filter((name) => name !== 'HALF_OPEN');
  expect(edges[0] ?? 'OPEN').toBe('OPEN');
  expect(edges.join(' ')).not.toContain('CLOSE CLOSE');
}

/** What became of a promise, as a value. */
export async function outcome(
  promise: Promise<unknown>,
): Promise<{ value?: unknown; error?: unknown }> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms));
