import { Board, type BreakerList } from './board.js';
import { createEndpoints } from './endpoints.js';
import { answerJson, RequestError, type StatusRequest, type StatusResponse } from './http.js';
import { Live } from './live.js';
import { resolve, type StatusPageOptions } from './options.js';

type Next = (error?: unknown) => void;

/** Answers requests: a handler for express, and a listener for the servers of Node's `http`. */
export interface StatusPage {
  (request: StatusRequest, response: StatusResponse, next?: Next): void;
  /** Ends what is live and watches no more. From then on requests are answered with 503. */
  close(): void;
}

/**
 * A page that shows every circuit of these breakers: its state, its figures, and what it did in the last
 * ten minutes, live. It only reads, unless `control` says more. Names, keys and the messages of errors
 * can be read by whoever can open it: put your own authentication in front.
 *
 * @throws TypeError or RangeError where an option is unknown or bad, or the list holds what is no breaker.
 * @example
 * import axios from 'axios';
 * import express from 'express';
 * import { CircuitBreaker } from 'axios-circuit-guard';
 * import { statusPage } from 'axios-circuit-guard/status';
 *
 * const breaker = new CircuitBreaker(axios.create(), { name: 'orders' });
 * express().use('/breakers', statusPage([breaker], { title: 'Checkout' }));
 */
export function statusPage(breakers: BreakerList, options: StatusPageOptions = {}): StatusPage {
  const settings = resolve(options);
  const board: Board = new Board({
    list: breakers,
    clock: settings.clock,
    onBeat: () => live.beat(),
    onChange: (sighting) => live.tell(sighting),
  });
  const live = new Live(board, settings.clock);
  const endpoints = createEndpoints(board, live, settings);
  let isClosed = false;

  function answerStatus(request: StatusRequest, response: StatusResponse, next?: Next): void {
    const [pathname = '', search] = (request.url ?? '').split('?', 2);
    const endpoint = endpoints.get(nameOf(pathname, settings.path));
    const { methods = [] } = endpoint ?? {};
    if (endpoint === undefined) {
      if (next) next();
      else answerJson(response, 404, { error: 'There is nothing here' });
    } else if (isClosed) {
      answerJson(response, 503, { error: 'This page is closed' });
    } else if (!methods.includes(String(request.method))) {
      response.setHeader('allow', methods.join(', '));
      answerJson(response, 405, { error: `Expected ${methods.join(' or ')}` });
    } else {
      const query = new URLSearchParams(search);
      const answered = async () => endpoint.answer(request, response, query);
      answered().catch((error: unknown) => answerError(response, error, next));
    }
  }

  return Object.assign(answerStatus, {
    close() {
      isClosed = true;
      live.close();
      board.close();
    },
  });
}

/** What comes after the path of the page; what lies elsewhere has a name that nothing here has. */
function nameOf(pathname: string, path: string): string {
  if (pathname === path) return '';
  return pathname.startsWith(`${path}/`) ? pathname.slice(path.length + 1) : '..';
}

function answerError(response: StatusResponse, error: unknown, next: Next | undefined): void {
  if (error instanceof RequestError) answerJson(response, error.status, { error: error.message });
  else if (next) next(error);
  else answerJson(response, 500, { error: 'Something went wrong' });
}
