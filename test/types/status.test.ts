import type { RequestListener } from 'node:http';
import { expectTypeOf } from 'expect-type';
import type { RequestHandler } from 'express';
import type {
  CircuitBreaker,
  CircuitBreakerWithEmitter,
  FunctionBreaker,
} from '../../src/index.js';
import type { ShownBreaker, StatusPage, statusPage } from '../../src/status/index.js';

describe('the types of a status page', () => {
  it('fit where express and http take handlers', () => {
    expectTypeOf<StatusPage>().toExtend<RequestHandler>();
    expectTypeOf<StatusPage>().toExtend<RequestListener>();
  });

  it('take each kind of breaker, in a list or from a function', () => {
    expectTypeOf<CircuitBreaker>().toExtend<ShownBreaker>();
    expectTypeOf<CircuitBreakerWithEmitter>().toExtend<ShownBreaker>();
    expectTypeOf<FunctionBreaker<[], string>>().toExtend<ShownBreaker>();
    expectTypeOf<readonly CircuitBreaker[]>().toExtend<Parameters<typeof statusPage>[0]>();
    expectTypeOf<() => CircuitBreaker[]>().toExtend<Parameters<typeof statusPage>[0]>();
  });
});
