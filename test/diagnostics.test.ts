import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import axios from 'axios';
import { CircuitBreaker, FunctionBreaker, type BreakerEventName } from '../src/index.js';
import { diagnosticsSink } from '../src/diagnostics.js';

const channelOf = (name: BreakerEventName) => `axios-circuit-guard:${name}`;

/** What is published on these channels while `act` runs. */
async function published(names: readonly BreakerEventName[], act: () => Promise<unknown>) {
  const messages: [string, unknown][] = [];
  const listener = (message: unknown, channel: string | symbol) => {
    messages.push([String(channel), message]);
  };
  for (const name of names) subscribe(channelOf(name), listener);
  await act();
  for (const name of names) unsubscribe(channelOf(name), listener);
  return messages;
}

const names = [
  'OPEN',
  'WOULD_OPEN',
  'HALF_OPEN',
  'CLOSE',
  'REFUSE',
  'FALLBACK',
  'SUCCESS',
  'FAILURE',
  'IGNORE',
] as const satisfies readonly BreakerEventName[];

describe('the diagnostics channels', () => {
  it('have every event of every breaker, in order, with its name', async () => {
    const client = axios.create({ adapter: () => Promise.reject(new Error('down')) });
    const breaker = new CircuitBreaker(client, { name: 'orders', errorHandler: () => true });
    const messages = await published(names, async () => {
      await client.get('/').catch(() => undefined);
      await client.get('/').catch(() => undefined);
      breaker.close();
    });
    expect(messages).toEqual([
      [channelOf('FAILURE'), expect.objectContaining({ breaker: 'orders', key: 'default' })],
      [channelOf('OPEN'), expect.objectContaining({ breaker: 'orders', reason: 'first-error' })],
      [channelOf('REFUSE'), expect.objectContaining({ breaker: 'orders' })],
      [channelOf('CLOSE'), expect.objectContaining({ breaker: 'orders', reason: 'manual' })],
    ]);
  });

  it('have the calls of functions, too', async () => {
    const breaker = new FunctionBreaker(() => Promise.resolve(1), { name: 'sum' });
    const messages = await published(['SUCCESS'], () => breaker.call());
    expect(messages).toEqual([
      [channelOf('SUCCESS'), expect.objectContaining({ breaker: 'sum', response: { data: 1 } })],
    ]);
  });

  it('describe nothing while nobody listens', async () => {
    const sink = diagnosticsSink('orders');
    expect(names.map((name) => sink?.wants(name))).toEqual(names.map(() => false));
    await published(['OPEN'], () => {
      expect(names.filter((name) => sink?.wants(name))).toEqual(['OPEN']);
      return Promise.resolve();
    });
  });

  it.each([
    ['a browser', undefined],
    ['an old Node', {}],
    ['another runtime', { getBuiltinModule: () => undefined }],
  ])('are left out in %s', (_title, process) => {
    const real = globalThis.process;
    try {
      Object.defineProperty(globalThis, 'process', { value: process, configurable: true });
      expect(diagnosticsSink('orders')).toBeUndefined();
    } finally {
      Object.defineProperty(globalThis, 'process', { value: real, configurable: true });
    }
  });
});
