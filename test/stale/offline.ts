import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import {
  CircuitBreakerWithEmitter,
  isBreakerOpenError,
  type CircuitBreakerOptions,
} from '../../src/index.js';
import { serveStale, type ServeStaleOptions, type StaleFallback } from '../../src/stale/index.js';
import { ManualClock } from '../../src/testing/index.js';

/** What the server answers to a request, where it is not a 200 with the URL as its data. */
export type Serve = (config: AxiosRequestConfig) => Partial<AxiosResponse>;

export interface Setting {
  readonly options?: ServeStaleOptions | undefined;
  /** Instead of one of its own: for several clients that share one. */
  readonly stale?: StaleFallback;
  readonly clock?: ManualClock;
  /** Of the breaker. */
  readonly breaking?: CircuitBreakerOptions;
}

/** A client of a server that can be taken away, with `serveStale` for that time. */
export function setUp(serve: Serve = () => ({}), setting: Setting = {}) {
  const { stale = serveStale(setting.options), clock = new ManualClock(), breaking } = setting;
  const adapter = jest.fn((config: AxiosRequestConfig) => answer(config, serve(config)));
  const client = axios.create({ adapter: adapter as never });
  const onFault = jest.fn();
  const options = { clock, fallback: stale, onFault, ...breaking };
  const breaker = new CircuitBreakerWithEmitter(client, options);

  /** Whatever becomes of it, while the server is there. */
  const online = async (config: AxiosRequestConfig = {}) => {
    breaker.close();
    await client.request({ url: '/', ...config }).catch(() => undefined);
  };
  /** What a caller gets while the server is away: an answer from before, or nothing. */
  const offline = async (
    config: AxiosRequestConfig = {},
  ): Promise<AxiosResponse<unknown> | undefined> => {
    breaker.open();
    try {
      return await client.request<unknown>({ url: '/', ...config });
    } catch (error) {
      if (isBreakerOpenError(error)) return undefined;
      throw error;
    }
  };
  return { adapter, breaker, client, clock, offline, onFault, online, stale };
}

/** As plain ones, whatever this version of axios has them in. */
export function headersOf(response: AxiosResponse | undefined): object {
  return Object.fromEntries(Object.entries(response?.headers ?? {}));
}

function answer(config: AxiosRequestConfig, given: Partial<AxiosResponse>): Promise<unknown> {
  const defaults = { status: 200, statusText: '', headers: {}, data: config.url, config };
  const response = { ...defaults, ...given } as AxiosResponse;
  const { validateStatus } = config;
  if (!validateStatus || validateStatus(response.status)) return Promise.resolve(response);
  const code = response.status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE';
  return Promise.reject(
    new axios.AxiosError(`status ${response.status}`, code, config as never, {}, response),
  );
}
