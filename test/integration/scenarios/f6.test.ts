import { EventEmitter, once } from 'node:events';
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { CircuitBreaker } from '../../../src/index.js';
import { holdAnswer } from '../../support/held-answer.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { orders, startRigBeside } from '../../support/rig-around.js';
import { outcome, sleep, startRig, type Rig } from '../../support/rig.js';
import { counts, watch } from '../../support/watch.js';

type Manager = AxiosInstance['interceptors']['request' | 'response'];

/** Every manager has a list; `clear` came with 0.28 and 1.0, and does this. */
function clear(manager: Manager): void {
  if (typeof manager.clear === 'function') manager.clear();
  else (manager as unknown as { handlers: unknown[] }).handlers = [];
}

/** How many interceptors are registered, and not ejected. */
function handlersOf({ interceptors }: AxiosInstance): { request: number; response: number } {
  const found = { request: 0, response: 0 };
  for (const name of ['request', 'response'] as const) {
    const manager = interceptors[name] as unknown as { forEach(visit: () => void): void };
    manager.forEach(() => (found[name] += 1));
  }
  return found;
}

/** Puts an interceptor of the user's own on each manager, that tells when it runs. */
function useOwn({ interceptors }: AxiosInstance): { ran: string[] } {
  const ran: string[] = [];
  interceptors.request.use((config) => {
    ran.push('request');
    return config;
  });
  interceptors.response.use((response) => {
    ran.push('response');
    return response;
  });
  return { ran };
}

describe('F6 · Detach after interceptors.clear()', () => {
  expectQuietProcess();
  let rig: Rig;
  afterEach(() => rig.stop());

  it("leaves the interceptors alone that took the places of the breaker's", async () => {
    rig = await startRig();
    const { server, client, breaker } = rig;
    const told = watch(breaker);
    server.script('/', [200]);
    clear(client.interceptors.request);
    clear(client.interceptors.response);
    const { ran } = useOwn(client);

    breaker.detach();
    await client.get('/');
    expect(ran).toEqual(['request', 'response']);
    expect(handlersOf(client)).toEqual({ request: 1, response: 1 });
    expect(server.hits()).toBe(1);
    expect(told).toEqual([]);
    expect(breaker.snapshot().counts).toEqual(counts({}));
  });

  it('does nothing the second time, even where its place was given away meanwhile', async () => {
    rig = await startRig();
    const { server, client, breaker } = rig;
    server.script('/', [200]);

    breaker.detach();
    expect(handlersOf(client)).toEqual({ request: 0, response: 0 });
    clear(client.interceptors.request);
    clear(client.interceptors.response);
    const { ran } = useOwn(client);
    breaker.detach();
    await client.get('/');
    expect(ran).toEqual(['request', 'response']);
  });

  it.each([200, 503])(
    'lets a request in flight end as usual, with %d, and tells nothing',
    async (status) => {
      rig = await startRig({ consecutiveFailures: 1 });
      const { server, client, breaker } = rig;
      const told = watch(breaker);
      const held = holdAnswer();
      server.script('/', [status]);

      const request = outcome(client.get('/', { adapter: held.adapter }));
      await held.sent;
      expect(breaker.snapshot().inFlight).toBe(1);
      breaker.detach();
      held.release();
      const { value, error } = await request;
      expect(value ?? (error as { response: unknown }).response).toMatchObject({ status });
      expect(breaker.snapshot().inFlight).toBe(0);

      await outcome(client.get('/'));
      expect(server.hits()).toBe(2);
      expect(told).toEqual([]);
    },
  );

  it.each(orders)(
    'lets a request pass that is on its way to the wire, in an interceptor %s the breaker',
    async (order) => {
      const signals = new EventEmitter();
      const released = once(signals, 'released');
      const wait = async (config: InternalAxiosRequestConfig) => {
        await released;
        return config;
      };
      rig = await startRigBeside(order, ({ interceptors }) => interceptors.request.use(wait));
      const { server, client, breaker } = rig;
      const told = watch(breaker);
      server.script('/', [200]);
      breaker.open();
      const request = client.get('/');
      await sleep(1);
      breaker.detach();
      signals.emit('released');

      expect((await request).status).toBe(200);
      expect(told).toEqual(['OPEN manual Infinity']);
      expect(breaker.snapshot().counts).toEqual(counts({ opened: 1 }));
    },
  );

  it('leaves nothing behind after a thousand rounds of attaching and detaching', async () => {
    rig = await startRig();
    const { server, client, breaker } = rig;
    server.script('/', [200]);
    for (let round = 0; round < 1_000; round += 1) {
      new CircuitBreaker(client).detach();
    }
    expect(handlersOf(client)).toEqual({ request: 1, response: 0 });

    await client.get('/');
    expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, success: 1 }));
    breaker.detach();
    expect(handlersOf(client)).toEqual({ request: 0, response: 0 });
  });
});
