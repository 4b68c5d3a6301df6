import axios, { CanceledError } from 'axios';
import {
  cancellation,
  hasTimedOut,
  isCancel,
  isCancelledByCaller,
} from '../../src/http/cancellation.js';

const timedOut = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
const aborted = AbortSignal.abort();
const running = new AbortController().signal;
const canceled = new CanceledError();
const answer = { response: { status: 503 } };

function cancelledToken() {
  const source = axios.CancelToken.source();
  source.cancel('enough');
  return source.token;
}

describe('isCancel', () => {
  it.each([
    [canceled, true],
    [{ __CANCEL__: true }, true],
    [{ __CANCEL__: false }, false],
    [new Error('no'), false],
    [undefined, false],
    [null, false],
  ])('of %p is %p', (error, expected) => {
    expect(isCancel(error)).toBe(expected);
  });
});

describe('hasTimedOut', () => {
  it.each([
    ['a deadline that is over', timedOut, true],
    ["a caller's abort", aborted, false],
    ['a signal that runs', running, false],
    ['an abort without a reason', { aborted: true, reason: undefined }, false],
    ['a reason alone', { aborted: false, reason: { name: 'TimeoutError' } }, false],
    ['nothing', undefined, false],
    ['null', null, false],
  ])('of %s', (_title, signal, expected) => {
    expect(hasTimedOut(signal)).toBe(expected);
  });
});

describe('isCancelledByCaller', () => {
  const token = cancelledToken();
  it.each([
    ['a cancellation', canceled, {}, true],
    ['a cancellation by signal', canceled, { signal: aborted }, true],
    ['a cancellation by a deadline', canceled, { signal: timedOut }, false],
    ["the token's own reason", token.reason, { cancelToken: token }, true],
    [
      "the token's own reason, though a deadline ran out too",
      token.reason,
      { cancelToken: token, signal: timedOut },
      true,
    ],
    ['an error of the adapter after an abort', new Error('aborted'), { signal: aborted }, true],
    ['an error of the adapter after a token', new Error('aborted'), { cancelToken: token }, true],
    ['an error of the adapter after a deadline', new Error('aborted'), { signal: timedOut }, false],
    ['an answer that came before the abort', answer, { signal: aborted }, false],
    ['an answer that came before the token', answer, { cancelToken: token }, false],
    ['an error while the signal runs', new Error('no'), { signal: running }, false],
    [
      'an error with a token that was not used',
      new Error('no'),
      { cancelToken: axios.CancelToken.source().token },
      false,
    ],
    [
      'an error without signal or token',
      new Error('no'),
      { signal: null, cancelToken: null },
      false,
    ],
    ['no error at all, after an abort', undefined, { signal: aborted }, true],
    ['no error at all', undefined, {}, false],
  ])('%s', (_title, error, config, expected) => {
    expect(isCancelledByCaller(error, config)).toBe(expected);
  });
});

describe('cancellation', () => {
  it.each([
    ['a signal that was aborted', { signal: aborted }],
    ['a token that was used', { cancelToken: cancelledToken() }],
  ])('by %s is known at once', (_title, config) => {
    const cancel = jest.fn();
    cancellation(config)(cancel)();
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it('is heard of until it is let go', async () => {
    const caller = new AbortController();
    const source = axios.CancelToken.source();
    const heard = jest.fn();
    const config = { signal: caller.signal, cancelToken: source.token };
    cancellation(config)(heard);
    cancellation(config)(() => void heard('let go'))();
    caller.abort();
    source.cancel();
    await Promise.resolve();
    expect(heard).toHaveBeenCalledTimes(2);
    expect(heard).not.toHaveBeenCalledWith('let go');
  });
});
