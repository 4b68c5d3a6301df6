import { STATUS_CODES } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { answerFromQuery } from './answer-from-query.js';
import { type Answer, prepare, type Send } from './answer.js';
import { cors } from './cors.js';
import { RequestLog, type SeenRequest } from './request-log.js';

export interface TestApp {
  readonly app: Express;
  /**
   * Answers requests for a path (without query, any method) in this order; the last answer repeats.
   * Replaces the script that the path had; an empty list leaves it without one.
   */
  readonly script: (path: string, answers: readonly (Answer | number)[]) => void;
  /** How many requests came for a path (without query), or in all. */
  readonly hits: (path?: string) => number;
  /** The latest requests for a path (without query), or of all, the oldest first. */
  readonly requests: (path?: string) => SeenRequest[];
}

export interface TestAppOptions {
  /**
   * Lets pages of other origins read the answers, and these headers of them.
   * @default none may read anything
   */
  readonly exposed?: readonly string[];
}

export function createApp({ exposed }: TestAppOptions = {}): TestApp {
  const app = express();
  const log = new RequestLog();
  const scripts = new Map<string, Send[]>();
  const send = (res: Response, answer: Answer | number) => prepare(answer)(res);

  app.disable('x-powered-by');
  if (exposed) app.use(cors(exposed));

  app.get('/hits', (_req, res) => {
    send(res, { body: { total: log.hits(), paths: log.hitsByPath() } });
  });

  app.use((req, res, next) => {
    log.add(req, res);
    // To close a socket with unread bytes would reset it, and the client could lose what was sent.
    req.resume().once('end', next);
  });

  app.use((req, res, next) => {
    const script = scripts.get(req.path) ?? [];
    const sendNext = script.length > 1 ? script.shift() : script[0];
    if (sendNext) sendNext(res);
    else next();
  });

  let testRequests = 0;
  app.get('/test', (_req, res) => {
    testRequests += 1;
    const status = testStatus(testRequests);
    send(res, { status, body: { request: testRequests, message: STATUS_CODES[status] } });
  });

  app.all('/status/:code', (req, res) => send(res, Number(req.params.code)));

  app.all('/answer', (req, res) => {
    send(res, answerFromQuery(new URL(req.url, 'http://localhost').searchParams));
  });

  app.use((_req, res) => send(res, 404));

  app.use((error: Error, _req: Request, res: Response, next: NextFunction) => {
    if (res.headersSent) next(error);
    else send(res, { status: 400, body: { status: 400, message: error.message } });
  });

  return {
    app,
    script: (path, answers) => void scripts.set(path, answers.map(prepare)),
    hits: (path) => log.hits(path),
    requests: (path) => log.requests(path),
  };
}

function testStatus(request: number): number {
  if (request % 5 === 0) return 429;
  return request % 3 === 0 ? 400 : 200;
}
