import axios, { type AxiosError, type AxiosResponse } from 'axios';
import { expectTypeOf } from 'expect-type';
import {
  CircuitBreaker,
  isFailure,
  type CircuitBreakerOptions,
  type Clock,
  type FaultHandler,
  type HalfOpenOptions,
  type RateLimitOptions,
  type WaitHook,
  type WaitUnit,
} from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

const breakerWith = (options: CircuitBreakerOptions) => new CircuitBreaker(axios.create(), options);

type Given<Name extends keyof CircuitBreakerOptions> = NonNullable<CircuitBreakerOptions[Name]>;
type Unset<Options> = Record<keyof Options, undefined>;

describe('the types of the options', () => {
  it('give the predicates what they judge', () => {
    expectTypeOf<Given<'errorHandler'>>().parameters.toEqualTypeOf<[AxiosError]>();
    expectTypeOf<Given<'errorHandler'>>().returns.toEqualTypeOf<boolean>();
    expectTypeOf<Given<'responseHandler'>>().parameters.toEqualTypeOf<[AxiosResponse]>();
    expectTypeOf<Given<'responseHandler'>>().returns.toEqualTypeOf<boolean>();
    expectTypeOf<Given<'onFault'>>().toEqualTypeOf<FaultHandler>();
    breakerWith({
      errorHandler: (error) => {
        expectTypeOf(error).toEqualTypeOf<AxiosError>();
        expectTypeOf(error.response?.status).toEqualTypeOf<number | undefined>();
        return isFailure(error);
      },
      responseHandler: (response) => {
        expectTypeOf(response).toEqualTypeOf<AxiosResponse>();
        return response.status === 202;
      },
    }).detach();
  });

  it('let every option be left out or undefined', () => {
    expectTypeOf<Unset<CircuitBreakerOptions>>().toExtend<CircuitBreakerOptions>();
    expectTypeOf<Unset<HalfOpenOptions>>().toExtend<HalfOpenOptions>();
    expectTypeOf<Unset<RateLimitOptions>>().toExtend<RateLimitOptions>();
    expectTypeOf<CircuitBreakerOptions>().toEqualTypeOf<Partial<CircuitBreakerOptions>>();
    expectTypeOf<HalfOpenOptions>().toEqualTypeOf<Partial<HalfOpenOptions>>();
    expectTypeOf<RateLimitOptions>().toEqualTypeOf<Partial<RateLimitOptions>>();
    expect(() => breakerWith({ cooldown: undefined, halfOpen: undefined }).detach()).not.toThrow();
  });

  it('keep the options from being written to', () => {
    const options: CircuitBreakerOptions = {};
    // @ts-expect-error -- read-only
    options.cooldown = 1;
    expectTypeOf<CircuitBreakerOptions>().toEqualTypeOf<Readonly<CircuitBreakerOptions>>();
  });

  it('take false or an object for halfOpen, but not true', () => {
    expectTypeOf<Given<'halfOpen'>>().toEqualTypeOf<false | HalfOpenOptions>();
    // @ts-expect-error -- how it is probed is told by an object
    expect(() => breakerWith({ halfOpen: true })).toThrow(TypeError);
    // @ts-expect-error -- no such part
    expect(() => breakerWith({ halfOpen: { probe: 1 } })).toThrow(TypeError);
  });

  it('take false or an object for rateLimit, but not true', () => {
    expectTypeOf<Given<'rateLimit'>>().toEqualTypeOf<false | RateLimitOptions>();
    expectTypeOf<RateLimitOptions>().toEqualTypeOf<Readonly<RateLimitOptions>>();
    // @ts-expect-error -- what to make of it is told by an object
    expect(() => breakerWith({ rateLimit: true })).toThrow(TypeError);
    // @ts-expect-error -- no such part
    expect(() => breakerWith({ rateLimit: { maxwait: 1 } })).toThrow(TypeError);
    // @ts-expect-error -- no such unit
    expect(() => breakerWith({ rateLimit: { units: { a: 'min' } } })).toThrow(RangeError);
    expectTypeOf<WaitUnit>().toEqualTypeOf<'s' | 'ms' | 'epoch-s' | 'epoch-ms'>();
  });

  it('give the hook of rateLimit the response, and take ms, a Date or nothing', () => {
    breakerWith({
      rateLimit: {
        wait: (response) => {
          expectTypeOf(response).toEqualTypeOf<AxiosResponse>();
          return response.status === 429 ? new Date() : undefined;
        },
      },
    }).detach();
    expectTypeOf<() => number>().toExtend<WaitHook>();
    expectTypeOf<() => null>().toExtend<WaitHook>();
    expectTypeOf<() => string>().not.toExtend<WaitHook>();
    expectTypeOf<() => Promise<number>>().not.toExtend<WaitHook>();
  });

  it('take a ManualClock and any object that is a clock', () => {
    expectTypeOf<ManualClock>().toExtend<Clock>();
    expectTypeOf<Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>>().not.toExtend<Clock>();
    breakerWith({ clock: new ManualClock() }).detach();
  });

  it('refuse an option that there is not', () => {
    // @ts-expect-error -- cooldown has no unit in its name
    expect(() => breakerWith({ cooldownMs: 1_000 })).toThrow('cooldown');
    // @ts-expect-error -- a slip of the pen
    expect(() => breakerWith({ errorhandler: isFailure })).toThrow('errorHandler');
  });

  it('refuse values of another type', () => {
    // @ts-expect-error -- a duration is a number
    expect(() => breakerWith({ cooldown: '10s' })).toThrow(TypeError);
    // @ts-expect-error -- a name is a string
    expect(() => breakerWith({ name: 1 })).toThrow(TypeError);
    // @ts-expect-error -- there are two modes
    expect(() => breakerWith({ mode: 'watch' })).toThrow();
    // @ts-expect-error -- null is not "left out"
    expect(() => breakerWith({ clock: null })).toThrow(TypeError);
  });

  it('refuse an asynchronous predicate', () => {
    // @ts-expect-error -- a promise is always truthy
    breakerWith({ errorHandler: () => Promise.resolve(false) }).detach();
    expectTypeOf<() => Promise<boolean>>().not.toExtend<Given<'responseHandler'>>();
  });
});
