import { oneLine } from './one-line.js';

/** What is kept of an error: enough to tell what went wrong, nothing that pins a response in memory. */
export interface ErrorSummary {
  /** The first line of its message, at most 200 characters, without what it quotes or a URL's secrets. */
  readonly message: string;
  readonly code: string | undefined;
  readonly status: number | undefined;
}

interface ErrorLike {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly response?: { readonly status?: unknown } | null;
}

export function summarize(error: unknown): ErrorSummary {
  if (typeof error !== 'object' || error === null) {
    return { message: oneLine(String(error)), code: undefined, status: undefined };
  }
  const { message, code, response } = error as ErrorLike;
  return {
    message: typeof message === 'string' ? oneLine(message) : 'Unknown error',
    code: typeof code === 'string' ? code : undefined,
    status: typeof response?.status === 'number' ? response.status : undefined,
  };
}
