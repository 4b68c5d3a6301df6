import { summarize } from '../../src/circuit/error-summary.js';

describe('the summary of an error', () => {
  it.each([
    [Object.assign(new Error('no'), { code: 'ECONNRESET' }), ['no', 'ECONNRESET', undefined]],
    [{ message: 'no', response: { status: 503 } }, ['no', undefined, 503]],
    [{ message: 'no', response: null, code: 7 }, ['no', undefined, undefined]],
    [{ message: 1, response: { status: 'odd' } }, ['Unknown error', undefined, undefined]],
    ['text', ['text', undefined, undefined]],
    [undefined, ['undefined', undefined, undefined]],
    [null, ['null', undefined, undefined]],
  ])('of %p is %j', (error, [message, code, status]) => {
    expect(summarize(error)).toEqual({ message, code, status });
  });
});
