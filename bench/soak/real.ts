import { once } from 'node:events';
import { Agent } from 'node:http';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import axios, { type AxiosAdapter } from 'axios';
import type { CircuitBreakerOptions } from '../../src/index.js';
import { createSubject, realSettings, type Subject } from './subjects.js';

/** The test server in a thread of its own: what it keeps is not on the client's heap. */
async function startServer(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const script = fileURLToPath(new URL('server.mjs', import.meta.url));
  const thread = new Worker(script, { env: { PORT: '0' }, stdout: true });
  const [line] = (await once(createInterface(thread.stdout), 'line')) as [string];
  return { url: line.replace(/^.* /, ''), stop: () => thread.terminate() };
}

/** Clients of a real server, by the http adapter on sockets that are kept, and by fetch. */
export async function startReal(
  options: CircuitBreakerOptions,
): Promise<{ subjects: readonly Subject[]; stop: () => Promise<void> }> {
  const server = await startServer();
  const httpAgent = new Agent({ keepAlive: true, maxSockets: 50 });
  const subjects = [axios.getAdapter('http'), axios.getAdapter('fetch')].flatMap((adapter) =>
    realSettings.map((setting) => createSubject({ ...options, ...setting }, toServer(adapter))),
  );

  /** The path is the key of the circuit; the query says what the server answers. */
  function toServer(adapter: AxiosAdapter): AxiosAdapter {
    return (config) => {
      const query = new URLSearchParams(config.url?.split('?')[1]);
      if (query.get('status') === '0') {
        query.set('status', '200');
        query.set('behaviour', 'reset');
      }
      const url = `${server.url}/answer?${query.toString()}`;
      return adapter({ ...config, url, httpAgent, proxy: false });
    };
  }

  const stop = async () => {
    httpAgent.destroy();
    await server.stop();
  };
  return { subjects, stop };
}
