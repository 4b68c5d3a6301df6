import axios, { type Axios, type AxiosInstance, type CreateAxiosDefaults } from 'axios';
import {
  CircuitBreakerWithEmitter,
  type AxiosStaticLike,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import { startTestServer, type TestServer } from '../../test-server/start.js';
import { defaultOptions, expectAtRest, recordTransitions, type Rig } from './rig.js';

/** A rig around a client of the test's own making. */
export interface RigAround<Client extends Axios> extends Omit<Rig, 'client'> {
  readonly client: Client;
}

/** What of the user's is put on the client: before the breaker, or after it. */
export const orders = ['before', 'after'] as const;
export type Order = (typeof orders)[number];

/** A rig whose client has more on it than the breaker. */
export async function startRigBeside(
  order: Order,
  plugIn: (client: AxiosInstance) => void,
  options: CircuitBreakerOptions = {},
  config: CreateAxiosDefaults = {},
): Promise<RigAround<AxiosInstance>> {
  const server = await startTestServer();
  const client = axios.create({ baseURL: server.url, ...config });
  if (order === 'before') plugIn(client);
  const rig = attachTo(server, client, options);
  if (order === 'after') plugIn(client);
  return rig;
}

/** `copy`: the axios that the client is of, where it is not the one that is imported. */
export async function startRigAround<Client extends Axios>(
  makeClient: (url: string) => Client,
  options: CircuitBreakerOptions = {},
  copy?: AxiosStaticLike,
): Promise<RigAround<Client>> {
  const server = await startTestServer();
  return attachTo(server, makeClient(server.url), options, copy);
}

function attachTo<Client extends Axios>(
  server: TestServer,
  client: Client,
  options: CircuitBreakerOptions,
  copy?: AxiosStaticLike,
): RigAround<Client> {
  const faults: Rig['faults'][number][] = [];
  const breaker = new CircuitBreakerWithEmitter(
    { instance: client, axios: copy },
    { ...defaultOptions, onFault: (error, source) => faults.push({ error, source }), ...options },
  );
  const transitions = recordTransitions(breaker);
  const stop = async () => {
    await server.close();
    expectAtRest(breaker);
  };
  return { server, client, breaker, transitions, faults, stop };
}
