import axios, { type AxiosResponse } from 'axios';
import { expectTypeOf } from 'expect-type';
import {
  CircuitBreaker,
  CircuitBreakerWithEmitter,
  type BreakerEventName,
  type BreakerEvents,
  type BreakerListener,
  type BreakerOpenError,
  type CloseEvent,
  type CloseReason,
  type ExchangeEvent,
  type HalfOpenEvent,
  type OpenEvent,
  type OpenReason,
  type RefuseEvent,
} from '../../src/index.js';

describe('the types of the events', () => {
  let breaker: CircuitBreakerWithEmitter;
  beforeEach(() => void (breaker = new CircuitBreakerWithEmitter(axios.create())));
  afterEach(() => breaker.detach());

  it('name what each event tells', () => {
    expectTypeOf<BreakerEvents['OPEN']>().toEqualTypeOf<OpenEvent>();
    expectTypeOf<BreakerEvents['WOULD_OPEN']>().toEqualTypeOf<OpenEvent>();
    expectTypeOf<BreakerEvents['HALF_OPEN']>().toEqualTypeOf<HalfOpenEvent>();
    expectTypeOf<BreakerEvents['CLOSE']>().toEqualTypeOf<CloseEvent>();
    expectTypeOf<BreakerEvents['REFUSE']>().toEqualTypeOf<RefuseEvent>();
    expectTypeOf<BreakerEvents['SUCCESS' | 'FAILURE' | 'IGNORE']>().toEqualTypeOf<ExchangeEvent>();
    expectTypeOf<BreakerEventName>().toEqualTypeOf<keyof BreakerEvents>();
  });

  it('type the fields that a listener reads', () => {
    breaker.on('OPEN', ({ key, reason, error, cooldownMs, from }) => {
      expectTypeOf(key).toEqualTypeOf<string>();
      expectTypeOf(reason).toEqualTypeOf<OpenReason>();
      expectTypeOf(error).toEqualTypeOf<unknown>();
      expectTypeOf(cooldownMs).toEqualTypeOf<number>();
      expectTypeOf(from).toEqualTypeOf<string | undefined>();
    });
    breaker.once('CLOSE', ({ reason, openForMs }) => {
      expectTypeOf(reason).toEqualTypeOf<CloseReason>();
      expectTypeOf(openForMs).toEqualTypeOf<number>();
    });
    breaker.on('REFUSE', ({ error }) => {
      expectTypeOf(error).toEqualTypeOf<BreakerOpenError>();
    });
    breaker.on('FAILURE', ({ response, slow }) => {
      expectTypeOf(response).toEqualTypeOf<AxiosResponse | undefined>();
      expectTypeOf(slow).toEqualTypeOf<boolean>();
    });
    expect(breaker.getStatus()).toBe(false);
  });

  it.each(['on', 'once', 'off', 'removeListener'] as const)('hold for %s', (method) => {
    const listener = ({ key }: HalfOpenEvent) => key;
    expectTypeOf(breaker[method]('HALF_OPEN', listener)).toEqualTypeOf<CircuitBreakerWithEmitter>();
    // A key is told by every event, so that this listener fits each.
    expect(breaker[method]('OPEN', listener)).toBe(breaker);

    // @ts-expect-error -- no event tells an id
    expect(breaker[method]('OPEN', ({ id }: { id: string }) => id)).toBe(breaker);
    // @ts-expect-error -- CLOSE has no cooldown
    expect(breaker[method]('CLOSE', ({ cooldownMs }: OpenEvent) => cooldownMs)).toBe(breaker);
  });

  it('allow a listener that is asynchronous or ignores what it is told', () => {
    expectTypeOf<() => Promise<void>>().toExtend<BreakerListener<'OPEN'>>();
    expectTypeOf<() => void>().toExtend<BreakerListener<BreakerEventName>>();
    expectTypeOf<(event: string) => void>().not.toExtend<BreakerListener<'OPEN'>>();
  });

  it('refuse a name that is no event', () => {
    // @ts-expect-error -- upper case only
    expect(() => breaker.on('open', () => undefined)).toThrow(TypeError);
    // @ts-expect-error -- the event is OPEN
    expect(() => breaker.once('OPENED', () => undefined)).toThrow(TypeError);
    // @ts-expect-error -- no such event
    expect(breaker.off('TRIP')).toBe(breaker);
    // @ts-expect-error -- no such event
    expect(breaker.removeListener('TRIP')).toBe(breaker);
  });

  it('need a listener where one is added', () => {
    // @ts-expect-error -- nothing to call
    expect(() => breaker.on('OPEN')).toThrow(TypeError);
    // @ts-expect-error -- nothing to call
    expect(() => breaker.once('OPEN')).toThrow(TypeError);
    expect(breaker.off('OPEN')).toBe(breaker);
  });

  it('are not there on a breaker without an emitter', () => {
    expectTypeOf<CircuitBreaker>().not.toHaveProperty('on');
    expectTypeOf<CircuitBreakerWithEmitter>().toExtend<CircuitBreaker>();
  });
});
