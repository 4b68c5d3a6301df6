/** What is kept of an error: enough to tell what went wrong, nothing that pins a response in memory. */
export interface ErrorSummary {
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
    return { message: String(error), code: undefined, status: undefined };
  }
  const { message, code, response } = error as ErrorLike;
  return {
    message: typeof message === 'string' ? message : 'Unknown error',
    code: typeof code === 'string' ? code : undefined,
    status: typeof response?.status === 'number' ? response.status : undefined,
  };
}
