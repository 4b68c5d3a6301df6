import {
  AxiosError,
  CanceledError,
  type AxiosAdapter,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import type { Timer } from './timers.js';
import type { World } from './world.js';

/** What the server makes of one request. */
export interface Answer {
  /** From the moment when the server has the request until its answer is with the client, in ms. */
  readonly ms: number;
  readonly status: number | 'refused';
  readonly headers?: Record<string, string>;
}

export interface Server {
  /** How long a request is on its way to it, in ms. */
  readonly travel: number;
  /** `call`: the number of the call that the request belongs to. */
  answer(call: number): Answer;
}

/** What was on the wire. */
export interface Wire {
  /** When each request was sent, in ms from the beginning. */
  readonly sent: number[];
  /** And how many were under way then, itself among them. */
  readonly inFlight: number[];
}

/** An adapter that asks `server` in virtual time, and honours `timeout` and `signal` as a real one. */
export function adapterTo(server: Server, world: World, wire: Wire): AxiosAdapter {
  let inFlight = 0;
  return (config) => {
    inFlight += 1;
    wire.sent.push(world.now);
    wire.inFlight.push(inFlight);
    return exchange(server, world, config).finally(() => {
      inFlight -= 1;
    });
  };
}

function exchange(
  server: Server,
  world: World,
  config: InternalAxiosRequestConfig,
): Promise<AxiosResponse> {
  const { timeout = 0, signal } = config;
  let deadline: Timer | undefined;
  return new Promise<Answer>((resolve, reject) => {
    const arrive = () => {
      const answer = server.answer(Number(config.url));
      world.after(answer.ms, () => resolve(answer));
    };
    if (server.travel === 0) arrive();
    else world.after(server.travel, arrive);
    signal?.addEventListener?.('abort', () => reject(new CanceledError()));
    if (timeout > 0) deadline = world.after(timeout, () => reject(timedOut(config)));
  })
    .finally(() => {
      if (deadline) deadline.isStopped = true;
    })
    .then((answer) => settle(config, answer));
}

function settle(
  config: InternalAxiosRequestConfig,
  { status, headers = {} }: Answer,
): AxiosResponse {
  if (status === 'refused') throw new AxiosError('connect ECONNREFUSED', 'ECONNREFUSED', config);
  const response = { status, statusText: '', headers, data: '', config } as AxiosResponse;
  if (status < 300) return response;
  throw new AxiosError(`status ${status}`, undefined, config, undefined, response);
}

function timedOut(config: InternalAxiosRequestConfig): AxiosError {
  return new AxiosError(`timeout of ${config.timeout}ms exceeded`, 'ECONNABORTED', config);
}
