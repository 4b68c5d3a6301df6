import type { RequestConfig } from '../../src/http/axios-like.js';
import { transform, unwatched, watchTransform } from '../../src/http/transform.js';

const double = (data: number) => data * 2;
const call = (config: RequestConfig, data: unknown) =>
  transform(config['transformResponse'], config, data, []);

describe('the watch over transformResponse', () => {
  it.each([[double], [[double, (data: number) => data + 1]], [undefined], [null], [[]]])(
    'makes what axios would make, and is gone afterwards: %p',
    (transformResponse) => {
      const config = { transformResponse };
      const made = call(config, 2);
      const end = watchTransform(config);
      expect(unwatched(config.transformResponse)).toBe(transformResponse);
      expect(call(config, 2)).toBe(made);
      expect(end()).toBe(true);
      expect(config.transformResponse).toBe(transformResponse);
    },
  );

  it('tells of what was never asked for, and of what throws', () => {
    const throws = () => {
      throw new Error('no');
    };
    const config = { transformResponse: throws };
    expect(watchTransform(config)()).toBe(false);
    const end = watchTransform(config);
    expect(() => call(config, 2)).toThrow('no');
    expect(end()).toBe(false);
  });

  it('leaves no field where there was none', () => {
    const config = {};
    watchTransform(config)();
    expect(config).not.toHaveProperty('transformResponse');
  });

  it('leaves what somebody else has put there since', () => {
    const config: RequestConfig = { transformResponse: double };
    const end = watchTransform(config);
    Reflect.set(config, 'transformResponse', String);
    end();
    expect(config['transformResponse']).toBe(String);
  });

  it('can be one of several, each of which takes itself off', () => {
    const config = { transformResponse: double };
    const endOuter = watchTransform(config);
    const endInner = watchTransform(config);
    expect(unwatched(config.transformResponse)).toBe(double);
    expect(call(config, 2)).toBe(4);
    expect([endInner(), endOuter()]).toEqual([true, true]);
    expect(config.transformResponse).toBe(double);
  });
});
