import axios, { type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';

/** An adapter that answers as the query says, at once or after a while; it obeys signals and tokens. */
export async function answer(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
  const query = new URLSearchParams(config.url?.split('?')[1]);
  const status = Number(query.get('status'));
  const delay = Number(query.get('delay'));
  if (delay > 0) await wait(config, delay);
  if (status === 0) throw new axios.AxiosError('refused', 'ECONNREFUSED', config);
  const lines = query.getAll('header').map((line) => line.split(':') as [string, string]);
  // Large enough to be seen where it is kept.
  const data = { status, text: 'x'.repeat(500) };
  const response = { status, statusText: '', headers: Object.fromEntries(lines), data, config };
  if (status < 400) return response;
  const code = status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE';
  throw new axios.AxiosError(`status ${status}`, code, config, {}, response);
}

function wait(config: InternalAxiosRequestConfig, ms: number): Promise<void> {
  const { cancelToken } = config;
  const signal = config.signal as AbortSignal | undefined;
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      cancelToken?.unsubscribe(abort);
    };
    const abort = () => {
      end();
      reject(new axios.CanceledError(undefined, config));
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    cancelToken?.subscribe(abort);
  });
}
