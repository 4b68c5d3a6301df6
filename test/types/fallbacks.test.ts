import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import type * as Axios0272 from 'axios-0.27.2';
import type * as Axios0x from 'axios-0.x';
import type * as Axios100 from 'axios-1.0.0';
import type * as Axios151 from 'axios-1.5.1';
import type * as Axios179 from 'axios-1.7.9';
import { expectTypeOf } from 'expect-type';
import {
  queueForRetry,
  staticFallback,
  type AddToQueue,
  type Fallback,
  type FallbackKind,
  type QueuedRequest,
  type QueueForRetryOptions,
} from '../../src/index.js';

describe('the types of fallbacks', () => {
  it('tell where a response comes from', () => {
    expectTypeOf<AxiosResponse<string>['fallback']>().toEqualTypeOf<FallbackKind | undefined>();
  });

  it('take the description of a request for what every axios can send', () => {
    expectTypeOf<QueuedRequest>().toExtend<AxiosRequestConfig>();
    expectTypeOf<QueuedRequest>().toExtend<Axios0272.AxiosRequestConfig>();
    expectTypeOf<QueuedRequest>().toExtend<Axios0x.AxiosRequestConfig>();
    expectTypeOf<QueuedRequest>().toExtend<Axios100.AxiosRequestConfig>();
    expectTypeOf<QueuedRequest>().toExtend<Axios151.AxiosRequestConfig>();
    expectTypeOf<QueuedRequest>().toExtend<Axios179.AxiosRequestConfig>();
  });

  it('take any function for a queue, and what it returns for the id', () => {
    const waiting: QueuedRequest[] = [];
    expectTypeOf(queueForRetry).parameters.toEqualTypeOf<
      [AddToQueue, (QueueForRetryOptions | undefined)?]
    >();
    expectTypeOf(queueForRetry((request) => waiting.push(request))).toEqualTypeOf<Fallback>();
    expectTypeOf(queueForRetry(async () => Promise.resolve('id'))).toEqualTypeOf<Fallback>();
    // @ts-expect-error -- a list of names
    expect(() => queueForRetry(() => 1, { methods: 'POST' })).toThrow(TypeError);
    // @ts-expect-error -- a function
    expect(() => queueForRetry(staticFallback(1))).toThrow(TypeError);
  });
});
