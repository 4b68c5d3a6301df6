import { Faults, isPromiseLike, warn } from '../src/faults.js';

const boom = new Error('boom');
const throws = () => {
  throw boom;
};

describe('a fault', () => {
  it('is reported once per source', () => {
    const onFault = jest.fn();
    const faults = new Faults(onFault);
    faults.report('errorHandler', boom);
    faults.report('errorHandler', new Error('again'));
    faults.report('listener:OPEN', boom);
    expect(onFault.mock.calls).toEqual([
      [boom, 'errorHandler'],
      [boom, 'listener:OPEN'],
    ]);
  });

  it('is a process warning where onFault throws itself', () => {
    const emitWarning = jest.spyOn(process, 'emitWarning').mockReturnValue();
    new Faults(throws).report('errorHandler', new Error('no'));
    expect(emitWarning).toHaveBeenCalledWith('errorHandler threw: no', 'CircuitBreakerWarning');
  });

  it('is no unhandled rejection where onFault rejects', async () => {
    const answer = Promise.reject(boom);
    const then = jest.spyOn(answer, 'then');
    new Faults(() => answer).report('errorHandler', boom);
    await expect(then.mock.results[0]?.value).resolves.toBeUndefined();
  });
});

describe('the default report', () => {
  it.each([
    [boom, 'boom'],
    ['text', '"text"'],
    [undefined, 'undefined'],
    [{ message: 7 }, 'an object'],
  ])('of %p is a process warning', (error, text) => {
    const emitWarning = jest.spyOn(process, 'emitWarning').mockReturnValue();
    warn(error, 'listener:OPEN');
    expect(emitWarning).toHaveBeenCalledWith(
      `listener:OPEN threw: ${text}`,
      'CircuitBreakerWarning',
    );
  });

  it.each([undefined, {}])('goes to the console where the process is %p', (replaced) => {
    const console = jest.spyOn(globalThis.console, 'warn').mockReturnValue();
    const { process } = globalThis;
    Object.assign(globalThis, { process: replaced });
    try {
      warn(boom, 'key');
    } finally {
      Object.assign(globalThis, { process });
    }
    expect(console).toHaveBeenCalledWith('CircuitBreakerWarning: key threw: boom');
  });
});

describe('isPromiseLike', () => {
  it.each([
    [Promise.resolve(), true],
    [{ then: () => undefined }, true],
    [{ then: 1 }, false],
    [undefined, false],
    [null, false],
    [true, false],
  ])('of %p is %p', (value, expected) => {
    expect(isPromiseLike(value)).toBe(expected);
  });
});
