import {
  degrade,
  fallbackResponse,
  firstOf,
  staticFallback,
  type OwnAnswer,
} from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

const refusal = new Error('refused');
const request = {
  config: { url: '/x' },
  data: undefined,
  error: refusal,
  key: 'default',
  clock: new ManualClock(),
};
const nothing = { answer: () => Promise.resolve(undefined) };

describe('staticFallback', () => {
  it.each([[{ items: [] }], [null], [0], [''], [false], [undefined]])(
    'answers with %p',
    async (data) => {
      const answer = await staticFallback(data).answer(request);
      expect(answer).toMatchObject({ kind: 'static', response: { status: 200, headers: {} } });
      expect((answer as OwnAnswer).response.data).toBe(data);
    },
  );
});

describe('degrade', () => {
  it('answers with what the function gives for the config and the error', async () => {
    const fn = jest.fn(() => Promise.resolve('elsewhere'));
    const answer = await degrade(fn).answer(request);
    expect(fn).toHaveBeenCalledWith(request.config, refusal);
    expect(answer).toMatchObject({ kind: 'degrade', response: { data: 'elsewhere', status: 200 } });
  });

  it('can say more than data', async () => {
    const headers = { 'x-degraded': 'yes' };
    const answer = await degrade(() => fallbackResponse({ status: 203, headers })).answer(request);
    expect((answer as OwnAnswer).response).toMatchObject({ status: 203, headers, data: undefined });
  });

  it('hands on what the function throws', async () => {
    const thrown = new Error('down as well');
    const fn = () => {
      throw thrown;
    };
    await expect(degrade(fn).answer(request)).rejects.toBe(thrown);
  });

  it('takes functions only', () => {
    expect(() => degrade('elsewhere' as never)).toThrow(
      new TypeError('Expected `fn` to be a function, got "elsewhere"'),
    );
  });
});

describe('firstOf', () => {
  const thrown = new Error('down as well');
  const throws = () => {
    throw thrown;
  };

  it('is the first that has an answer; bare functions are degrade', async () => {
    const last = jest.fn();
    const answer = await firstOf(nothing, throws, () => 'second', last).answer(request);
    expect(answer).toMatchObject({ kind: 'degrade', response: { data: 'second' } });
    expect(last).not.toHaveBeenCalled();
  });

  it('has no answer where none has, and throws what was thrown last', async () => {
    expect(await firstOf(nothing).answer(request)).toBeUndefined();
    await expect(
      firstOf(() => Promise.reject(new Error('first')), throws, nothing).answer(request),
    ).rejects.toBe(thrown);
  });
});
