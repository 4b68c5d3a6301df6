import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import type { RequestConfig } from '../../src/http/axios-like.js';
import { withDeadline } from '../../src/http/deadline.js';
import { ManualClock } from '../../src/testing/index.js';

const expired = new Error('too late');

interface Wire {
  readonly signal: AbortSignal;
  readonly resolve: (response: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** An exchange under way, with what its adapter was given. */
function start(config: RequestConfig = {}, ms = 100) {
  const clock = new ManualClock();
  let wire!: Wire;
  const adapter = ({ signal }: RequestConfig) =>
    new Promise((resolve, reject) => {
      wire = { signal: signal as AbortSignal, resolve, reject };
    });
  const ended = withDeadline(adapter, config, { ms, clock, createError: () => expired });
  return { clock, config, wire, ended };
}

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('an exchange under a deadline', () => {
  it('is aborted for real when the deadline passes, and not before', async () => {
    const { clock, wire, ended } = start();
    clock.advance(99);
    expect(wire.signal.aborted).toBe(false);
    clock.advance(1);
    expect(wire.signal.reason).toBe(expired);
    await expect(ended).rejects.toBe(expired);
    wire.reject(new Error('aborted'));
  });

  it.each([undefined, new AbortController().signal])(
    'hands on what cannot even be read, with the signal %p of the caller',
    async (signal) => {
      const get = (_: unknown, field: PropertyKey) => {
        if (field !== 'then') throw new Error('unreadable');
      };
      const unreadable = () => new Proxy({}, { get }) as { status: number };
      const answered = start({ signal });
      answered.wire.resolve(unreadable());
      const answer = (await answered.ended) as { status: number };
      expect(() => answer.status).toThrow('unreadable');
      const failed = start({ signal });
      const error = unreadable();
      failed.wire.reject(error);
      expect((await failed.ended.catch((caught: unknown) => caught)) === error).toBe(true);
      expect(signal === undefined ? 0 : listeners(signal)).toBe(0);
    },
  );

  it.each([
    ['an answer', (wire: Wire) => wire.resolve({ status: 200 }), { status: 200 }],
    ['an error', (wire: Wire) => wire.reject(new Error('no')), new Error('no')],
  ])('ends with %s that is in time, and its timer is stopped', async (_title, end, expected) => {
    const { clock, wire, ended } = start();
    end(wire);
    const outcome = await ended.catch((error: unknown) => error);
    expect(outcome).toEqual(expected);
    clock.advance(1_000);
    expect(wire.signal.aborted).toBe(false);
  });

  it('can still be aborted by the caller, with the reason that the caller gave', () => {
    const caller = new AbortController();
    const { wire } = start({ signal: caller.signal });
    expect(wire.signal).not.toBe(caller.signal);
    caller.abort('enough');
    expect(wire.signal.reason).toBe('enough');
  });

  it('follows the caller once: nothing is left on a signal that was aborted', () => {
    const caller = new AbortController();
    const { wire } = start({ signal: caller.signal });
    wire.resolve({ data: new PassThrough() });
    caller.abort();
    expect(listeners(caller.signal)).toBe(0);
  });

  it('starts aborted where the caller already has', () => {
    expect(start({ signal: AbortSignal.abort('before') }).wire.signal.reason).toBe('before');
  });

  it('is over for a caller whose signal it leaves as it found it', async () => {
    for (const end of [
      (wire: Wire) => wire.resolve({ data: 'text' }),
      (wire: Wire) => wire.reject(new Error('no')),
      (_wire: Wire, clock: ManualClock) => clock.advance(100),
    ]) {
      const { signal } = new AbortController();
      const { clock, wire, ended } = start({ signal });
      expect(listeners(signal)).toBe(1);
      end(wire, clock);
      await ended.catch(() => undefined);
      expect(listeners(signal)).toBe(0);
    }
  });
});

describe('the signal that stands on the config', () => {
  it.each([
    ['an answer', (wire: Wire) => wire.resolve({ status: 200 })],
    ['an error', (wire: Wire) => wire.reject(new Error('no'))],
    ['no answer', (_wire: Wire, clock: ManualClock) => clock.advance(100)],
  ])("is the caller's again after %s", async (_title, end) => {
    for (const signal of [new AbortController().signal, undefined]) {
      const { clock, config, wire, ended } = start({ signal });
      end(wire, clock);
      await ended.catch(() => undefined);
      expect(config.signal).toBe(signal);
    }
    const { clock, config, wire, ended } = start();
    end(wire, clock);
    await ended.catch(() => undefined);
    expect(config).not.toHaveProperty('signal');
  });

  it("is the caller's on every copy of the config that an outcome carries", async () => {
    const { signal } = new AbortController();
    const { config, wire, ended } = start({ signal });
    const error = { config: { ...config }, response: { config: { ...config } } };
    wire.reject(error);
    await ended.catch(() => undefined);
    expect([error.config.signal, error.response.config.signal]).toEqual([signal, signal]);
    expect(error.config.signal).toBe(signal);
  });

  it('is left alone on a config with another one', async () => {
    const other = new AbortController().signal;
    const { wire, ended } = start();
    const response = { config: { signal: other } };
    wire.resolve(response);
    await ended;
    expect(response.config.signal).toBe(other);
  });
});

describe('a response that is read as a stream', () => {
  it('is not cut by the deadline, and can be aborted by the caller until it ends', async () => {
    const caller = new AbortController();
    const { clock, wire, ended } = start({ signal: caller.signal });
    const data = new PassThrough();
    wire.resolve({ data });
    expect(await ended).toEqual({ data });
    clock.advance(1_000);
    expect(wire.signal.aborted).toBe(false);
    expect(listeners(caller.signal)).toBe(1);
    caller.abort();
    expect(wire.signal.aborted).toBe(true);
    data.destroy();
  });

  it('leaves no listener once it is closed', async () => {
    const { signal } = new AbortController();
    const { wire, ended } = start({ signal });
    const data = new PassThrough();
    wire.resolve({ data });
    await ended;
    data.destroy();
    await new Promise((resolve) => data.once('close', resolve));
    expect(listeners(signal)).toBe(0);
  });

  it('leaves no listener where it was closed before', async () => {
    const { signal } = new AbortController();
    const { wire, ended } = start({ signal });
    wire.resolve({ data: new PassThrough().destroy() });
    await ended;
    expect(listeners(signal)).toBe(0);
  });

  it('is the very stream of the adapter where there is no signal to follow', async () => {
    const { wire, ended } = start();
    const data = new ReadableStream();
    wire.resolve({ data });
    expect(await ended).toEqual({ data });
    expect(((await ended) as { data: unknown }).data).toBe(data);
  });
});

describe('a response that is read as a web stream', () => {
  async function answerWith(source: ReadableStream) {
    const { signal } = new AbortController();
    const { wire, ended } = start({ signal });
    wire.resolve({ data: source });
    const { data } = (await ended) as { data: ReadableStream };
    return { signal, data };
  }

  it('is handed on whole, and leaves no listener at its end', async () => {
    const source = new ReadableStream({
      start(controller) {
        controller.enqueue('one');
        controller.enqueue('two');
        controller.close();
      },
    });
    const { signal, data } = await answerWith(source);
    expect(listeners(signal)).toBe(1);
    const chunks: unknown[] = [];
    for await (const chunk of data) chunks.push(chunk);
    expect(chunks).toEqual(['one', 'two']);
    expect(listeners(signal)).toBe(0);
  });

  it('hands on an error, and leaves no listener', async () => {
    const broken = new Error('cut');
    const { signal, data } = await answerWith(
      new ReadableStream({ pull: (controller) => controller.error(broken) }),
    );
    await expect(data.getReader().read()).rejects.toBe(broken);
    expect(listeners(signal)).toBe(0);
  });

  it('hands on that the caller wants no more, and leaves no listener', async () => {
    const cancel = jest.fn();
    const { signal, data } = await answerWith(new ReadableStream({ cancel }));
    await data.cancel('enough');
    expect(cancel).toHaveBeenCalledWith('enough');
    expect(listeners(signal)).toBe(0);
  });
});
