import axios from 'axios';
import type { AxiosInstance, AxiosStatic } from 'axios';
import type * as Axios0272 from 'axios-0.27.2';
import type * as Axios0x from 'axios-0.x';
import type * as Axios100 from 'axios-1.0.0';
import type * as Axios151 from 'axios-1.5.1';
import type * as Axios179 from 'axios-1.7.9';
import { expectTypeOf } from 'expect-type';
import { CircuitBreaker, CircuitBreakerWithEmitter, type BreakerTarget } from '../../src/index.js';

type Target = ConstructorParameters<typeof CircuitBreaker>[0];

interface Pair<Instance, Static> {
  readonly instance: Instance;
  readonly axios: Static;
}

describe('the types of what a breaker is attached to', () => {
  it('are the same for both classes', () => {
    expectTypeOf<Target>().toEqualTypeOf<BreakerTarget>();
    expectTypeOf(CircuitBreakerWithEmitter).constructorParameters.toEqualTypeOf<
      ConstructorParameters<typeof CircuitBreaker>
    >();
  });

  it('accept an instance of every version of axios', () => {
    expectTypeOf<AxiosInstance>().toExtend<Target>();
    expectTypeOf<Axios0272.AxiosInstance>().toExtend<Target>();
    expectTypeOf<Axios0x.AxiosInstance>().toExtend<Target>();
    expectTypeOf<Axios100.AxiosInstance>().toExtend<Target>();
    expectTypeOf<Axios151.AxiosInstance>().toExtend<Target>();
    expectTypeOf<Axios179.AxiosInstance>().toExtend<Target>();
  });

  it('accept an instance with its axios, of every version', () => {
    expectTypeOf<Pair<AxiosInstance, AxiosStatic>>().toExtend<Target>();
    expectTypeOf<Pair<Axios0272.AxiosInstance, Axios0272.AxiosStatic>>().toExtend<Target>();
    expectTypeOf<Pair<Axios0x.AxiosInstance, Axios0x.AxiosStatic>>().toExtend<Target>();
    expectTypeOf<Pair<Axios100.AxiosInstance, Axios100.AxiosStatic>>().toExtend<Target>();
    expectTypeOf<Pair<Axios151.AxiosInstance, Axios151.AxiosStatic>>().toExtend<Target>();
    expectTypeOf<Pair<Axios179.AxiosInstance, Axios179.AxiosStatic>>().toExtend<Target>();
  });

  it('accept axios itself, an instance of its class, and an instance alone in an object', () => {
    const instance = axios.create();
    for (const target of [
      axios,
      instance,
      new axios.Axios({}),
      { instance },
      { instance, axios },
    ]) {
      expectTypeOf(target).toExtend<Target>();
      expect(() => new CircuitBreaker(target).detach()).not.toThrow();
    }
  });

  it('refuse anything else', () => {
    // @ts-expect-error -- no instance
    expect(() => new CircuitBreaker({})).toThrow(TypeError);
    // @ts-expect-error -- no instance
    expect(() => new CircuitBreaker({ axios })).toThrow(TypeError);
    // @ts-expect-error -- a URL is no instance
    expect(() => new CircuitBreaker('https://api.example.com')).toThrow(TypeError);
    // @ts-expect-error -- nothing
    expect(() => new CircuitBreaker()).toThrow(TypeError);
  });
});

describe("the types of a request's config", () => {
  const client = axios.create({ adapter: (config) => Promise.reject(new Error(config.url)) });

  it('accept circuitBreaker: false in every method', async () => {
    const off = { circuitBreaker: false } as const;
    await expect(client.get<string>('/get', off)).rejects.toThrow('/get');
    await expect(client.post<string>('/post', {}, off)).rejects.toThrow('/post');
    await expect(client.request({ url: '/request', ...off })).rejects.toThrow('/request');
    expect(axios.create(off).defaults.circuitBreaker).toBe(false);
  });

  it('refuse any other circuitBreaker', () => {
    // @ts-expect-error -- true says nothing
    expectTypeOf({ circuitBreaker: true }).toExtend<Parameters<typeof client.get>[1]>();
    // @ts-expect-error -- a word is no switch
    expectTypeOf({ circuitBreaker: 'off' }).toExtend<Parameters<typeof client.get>[1]>();
  });
});
