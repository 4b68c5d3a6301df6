import type { AxiosError, AxiosInstance } from 'axios';
import axiosRetry, { isNetworkOrIdempotentRequestError } from 'axios-retry';
import { attach, shouldRetryRequest } from 'retry-axios';

interface RetrySettings {
  readonly retries: number;
  readonly delay: number;
  /** @default the plugin's own */
  readonly condition?: ((error: AxiosError) => boolean) | undefined;
  /** Told before each retry. */
  readonly onRetry?: () => void;
}

export interface RetryPlugin {
  readonly name: string;
  register(client: AxiosInstance, settings: RetrySettings): void;
  /** The plugin's own condition, for one to build on. */
  readonly ownCondition: (error: AxiosError) => boolean;
}

/** Settings of one request that both plugins understand as: not again. */
export const noRetries = { 'axios-retry': { retries: 0 }, raxConfig: { retry: 0 } };

/** Both claim to support every axios of the test matrix. */
export const retryPlugins: readonly RetryPlugin[] = [
  {
    name: 'axios-retry',
    register: (client, { retries, delay, condition, onRetry }) =>
      axiosRetry(client, {
        retries,
        retryDelay: () => delay,
        ...(condition && { retryCondition: condition }),
        ...(onRetry && { onRetry }),
      }),
    ownCondition: isNetworkOrIdempotentRequestError,
  },
  {
    name: 'retry-axios',
    register: (client, { retries, delay, condition, onRetry }) => {
      client.defaults.raxConfig = {
        retry: retries,
        backoffType: 'static',
        retryDelay: delay,
        ...(condition && { shouldRetry: condition }),
        ...(onRetry && { onRetryAttempt: () => Promise.resolve().then(onRetry) }),
      };
      attach(client);
    },
    ownCondition: shouldRetryRequest,
  },
];
