import { expectTypeOf } from 'expect-type';
import {
  BreakerOpenError,
  isBreakerOpenError,
  isBulkheadFullError,
  isFailure,
  isTimeoutError,
  type BulkheadFullError,
  type CircuitState,
  type ErrorSummary,
  type OpenReason,
  type TimeoutError,
} from '../../src/index.js';

const refusal: unknown = new BreakerOpenError(
  { breaker: 'orders', key: 'default', config: {} },
  { refused: true, state: 'open', reason: 'manual', retryAfterMs: 1, cause: undefined },
);

describe('the types of the guards', () => {
  it('narrow what was caught', () => {
    expectTypeOf(isBreakerOpenError).guards.toEqualTypeOf<BreakerOpenError>();
    expectTypeOf(isBulkheadFullError).guards.toEqualTypeOf<BulkheadFullError>();
    expectTypeOf(isTimeoutError).guards.toEqualTypeOf<TimeoutError>();
    expectTypeOf(isFailure).toEqualTypeOf<(error: unknown) => boolean>();
    expectTypeOf(isBreakerOpenError).parameters.toEqualTypeOf<[unknown]>();
  });

  it('tell the fields of a refusal', () => {
    expect.assertions(1);
    if (!isBreakerOpenError(refusal)) return;
    expectTypeOf(refusal.state).toEqualTypeOf<CircuitState>();
    expectTypeOf(refusal.reason).toEqualTypeOf<OpenReason>();
    expectTypeOf(refusal.retryAfterMs).toEqualTypeOf<number>();
    expectTypeOf(refusal.cause).toEqualTypeOf<ErrorSummary | undefined>();
    expect(refusal.retryAfterMs).toBe(1);
  });

  it('leave an error unknown until it is asked about', () => {
    // @ts-expect-error -- not narrowed
    expect(refusal.retryAfterMs).toBe(1);
  });

  it('tell the errors apart by name, and a deadline from a cancellation by its code', () => {
    expectTypeOf<BreakerOpenError['name']>().toEqualTypeOf<'BreakerOpenError'>();
    expectTypeOf<BreakerOpenError['code']>().toEqualTypeOf<'ERR_CANCELED'>();
    expectTypeOf<TimeoutError['code']>().toEqualTypeOf<'ETIMEDOUT'>();
    expectTypeOf<BulkheadFullError['code']>().toEqualTypeOf<'ERR_CANCELED'>();
  });
});
