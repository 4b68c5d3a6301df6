/** What is used of a request: those of Node's `http` and of express have it. */
export interface StatusRequest {
  readonly method?: string | undefined;
  /** What is left of the URL where the page is mounted. */
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What a body parser has made of the body, if one came first. */
  readonly body?: unknown;
  readonly readableEnded: boolean;
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
}

/** What is used of a response: those of Node's `http` and of express have it. */
export interface StatusResponse {
  statusCode: number;
  readonly headersSent: boolean;
  readonly destroyed?: boolean;
  setHeader(name: string, value: string): unknown;
  write(text: string): boolean;
  end(text?: string): unknown;
  destroy(): unknown;
  on(event: string, listener: () => void): unknown;
}

const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** The head of an answer that no cache keeps, and no other site may read or embed. */
export function begin(response: StatusResponse, status: number, contentType: string): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-type', contentType);
}

export function answerJson(response: StatusResponse, status: number, body: unknown): void {
  begin(response, status, 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}

/** A request that is answered with what is wrong with it. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
