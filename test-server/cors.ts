import type { RequestHandler } from 'express';

/**
 * Lets the pages of all other origins read the answers, and of their headers those that are `exposed`,
 * beside the few that always are. Answers preflights, so that nothing else sees them.
 */
export function cors(exposed: readonly string[]): RequestHandler {
  return (req, res, next) => {
    res.setHeader('Access-Control-Allow-Origin', '*');
    if (exposed.length > 0) res.setHeader('Access-Control-Expose-Headers', exposed.join(', '));
    const isPreflight =
      req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    if (!isPreflight) {
      next();
      return;
    }
    res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
    res.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Api-Key');
    res.status(204).end();
  };
}
