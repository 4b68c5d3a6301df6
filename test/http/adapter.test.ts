import axios from 'axios';
import { adapterResolver } from '../../src/http/adapter.js';
import type { AxiosLike } from '../../src/http/axios-like.js';

const own = () => Promise.resolve('own');
const looked = () => Promise.resolve('looked up');

function instance(defaults: object = {}, more: object = {}): AxiosLike {
  return { ...axios.create(), interceptors: axios.interceptors, defaults, ...more };
}

/** The peer without its getAdapter, as axios 1.2 to 1.4 are. */
function withoutGetAdapter<Made>(make: () => Made): Made {
  const { getAdapter } = axios;
  Reflect.set(axios, 'getAdapter', undefined);
  try {
    return make();
  } finally {
    axios.getAdapter = getAdapter;
  }
}

describe('an adapter', () => {
  it('that is a function is taken as it is', () => {
    expect(adapterResolver(instance(), undefined)(own, {})).toBe(own);
  });

  it("is looked up by name in the instance's own getAdapter first, with the config", () => {
    const getAdapter = jest.fn(() => looked);
    const given = { getAdapter: jest.fn() };
    const config = {};
    expect(adapterResolver(instance({}, { getAdapter }), given)('http', config)).toBe(looked);
    expect(getAdapter).toHaveBeenCalledWith('http', config);
    expect(given.getAdapter).not.toHaveBeenCalled();
  });

  it('is looked up by name in the axios that was given, else in the peer', () => {
    const given = { getAdapter: jest.fn(() => looked) };
    expect(adapterResolver(instance(), given)(['fetch', 'http'], {})).toBe(looked);
    expect(adapterResolver(instance(), undefined)('http', {})).toBe(axios.getAdapter('http'));
  });

  it('that is absent is the default of the axios that was given, else of the peer', () => {
    const given = { defaults: { adapter: own } };
    expect(adapterResolver(instance(), given)(undefined, {})).toBe(own);
    expect(adapterResolver(instance(), undefined)(undefined, {})).toBe(
      axios.getAdapter(axios.defaults.adapter),
    );
  });

  it('of an unknown name is an error of axios', () => {
    const resolve = adapterResolver(instance(), undefined);
    expect(() => resolve('carrier-pigeon', {})).toThrow(axios.AxiosError);
  });
});

describe('attaching where names cannot be looked up', () => {
  it('fails with what to do, where the default adapter is a list of names', () => {
    const target = instance({ adapter: ['xhr', 'http'] });
    expect(() => withoutGetAdapter(() => adapterResolver(target, undefined))).toThrow(
      'Expected `adapter` to be a function, got ["xhr", "http"]: this version of axios has no getAdapter. Use axios below 1.2 or from 1.5.1 on, or set the adapter to a function.',
    );
  });

  it('is fine where the default adapter is a function; a name fails at the request', () => {
    const resolve = withoutGetAdapter(() => adapterResolver(instance({ adapter: own }), undefined));
    expect(resolve(own, {})).toBe(own);
    expect(() => resolve('http', {})).toThrow('got "http"');
  });
});
