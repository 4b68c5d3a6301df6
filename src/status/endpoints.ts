import type { Board } from './board.js';
import { statusOf } from './circuit-status.js';
import { obey } from './command.js';
import { answerJson, RequestError, type StatusRequest, type StatusResponse } from './http.js';
import type { Live } from './live.js';
import type { Settings } from './options.js';
import { answerPage } from './page/page.js';
import { timelinesOf } from './timelines.js';
import type { Token } from './token.js';

/** One thing that can be asked for. */
export interface Endpoint {
  readonly methods: readonly string[];
  readonly answer: (
    request: StatusRequest,
    response: StatusResponse,
    query: URLSearchParams,
  ) => void | Promise<void>;
}

const reading = ['GET', 'HEAD'];
const tokenHeader = 'x-status-token';
const mostTimelines = 100;

/** By what comes after the path of the page. */
export function createEndpoints(
  board: Board,
  live: Live,
  { title, token }: Settings,
): ReadonlyMap<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  const offer = (name: string, methods: readonly string[], answer: Endpoint['answer']) =>
    endpoints.set(name, { methods, answer });

  offer('', reading, (_request, response) => answerPage(response, title, token !== undefined));
  offer('snapshot.json', reading, (_request, response) =>
    answerJson(response, 200, { title, circuits: board.sightings().map(statusOf) }),
  );
  offer('events', ['GET'], (_request, response) => live.open(response));
  offer('timelines', reading, (_request, response, query) => {
    const ids = query.getAll('id').slice(0, mostTimelines).map(Number);
    answerJson(response, 200, timelinesOf(board, ids));
  });
  if (token !== undefined) {
    offer('command', ['POST'], async (request, response) => {
      await authorize(request, response, token);
      const outcome = await obey(board, request);
      live.tellAll();
      answerJson(response, 200, outcome);
    });
  }
  return endpoints;
}

async function authorize(
  { headers }: StatusRequest,
  response: StatusResponse,
  token: Token,
): Promise<void> {
  const guess = headers[tokenHeader];
  if (typeof guess !== 'string' || guess === '') {
    response.setHeader('www-authenticate', 'Token');
    throw new RequestError(401, `Send the token in the header ${tokenHeader}`);
  }
  if (!(await token.matches(guess))) throw new RequestError(403, 'The token is wrong');
}
