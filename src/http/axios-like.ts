/* eslint-disable @typescript-eslint/no-explicit-any -- must accept the instance of any axios version, from any module format */

/** What is used of an axios instance. Every axios instance fits, and `new axios.Axios()` too. */
export interface AxiosLike {
  readonly interceptors: {
    readonly request: {
      use(
        onFulfilled: (config: any) => any,
        onRejected: undefined,
        options: { synchronous: boolean },
      ): number;
      eject(id: number): void;
    };
  };
  readonly defaults?: { readonly adapter?: unknown };
}

/** What is used of the axios module: pass it where the instance belongs to another copy than ours. */
export interface AxiosStaticLike {
  readonly getAdapter?: (...args: any[]) => any;
  readonly defaults?: { readonly adapter?: unknown };
}

/** The fields of a request's config that are looked at here. */
export interface RequestConfig {
  adapter?: unknown;
  readonly circuitBreaker?: unknown;
  readonly method?: unknown;
  readonly url?: unknown;
  readonly baseURL?: unknown;
  readonly allowAbsoluteUrls?: unknown;
  readonly timeout?: unknown;
  readonly signal?: unknown;
  readonly cancelToken?: unknown;
  readonly validateStatus?: unknown;
  readonly [field: string]: unknown;
}

/** One physical request and its answer. */
export type Adapter = (config: RequestConfig) => unknown;
