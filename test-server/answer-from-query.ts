import type { Answer } from './answer.js';

/**
 * `status=503&delay=100&behaviour=drip&header=Retry-After:5&body=text`: the names are those of an
 * Answer; `header` may be repeated, and without a colon it removes that header.
 */
export function answerFromQuery(query: URLSearchParams): Answer {
  const numbers = ['status', 'delay', 'dripEvery', 'dripChunks']
    .filter((name) => query.has(name))
    .map((name) => [name, Number(query.get(name))]);
  const texts = ['behaviour', 'body']
    .filter((name) => query.has(name))
    .map((name) => [name, query.get(name)]);
  const headers: Record<string, string[]> = {};
  for (const line of query.getAll('header')) {
    const [name = '', ...value] = line.split(':');
    const values = (headers[name.toLowerCase()] ??= []);
    if (value.length > 0) values.push(value.join(':'));
  }
  return { ...Object.fromEntries([...numbers, ...texts]), headers } as Answer;
}
