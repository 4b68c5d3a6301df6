import axios, { type Axios, type AxiosInstance, type CreateAxiosDefaults } from 'axios';
import type { AxiosStaticLike, CircuitBreakerOptions } from '../../src/index.js';
import { attachRig, startServer, type Rig } from './rig.js';

/** What of the user's is put on the client: before the breaker, or after it. */
export const orders = ['before', 'after'] as const;
export type Order = (typeof orders)[number];

/** A rig whose client has more on it than the breaker. */
export async function startRigBeside(
  order: Order,
  plugIn: (client: AxiosInstance) => void,
  options: CircuitBreakerOptions = {},
  config: CreateAxiosDefaults = {},
): Promise<Rig> {
  const server = await startServer();
  const client = axios.create({ baseURL: server.url, ...config });
  if (order === 'before') plugIn(client);
  const rig = attachRig(server, client, options);
  if (order === 'after') plugIn(client);
  return rig;
}

/** `copy`: the axios that the client is of, where it is not the one that is imported. */
export async function startRigAround<Client extends Axios>(
  makeClient: (url: string) => Client,
  options: CircuitBreakerOptions = {},
  copy?: AxiosStaticLike,
): Promise<Rig<Client>> {
  const server = await startServer();
  return attachRig(server, makeClient(server.url), options, copy);
}
