import { RequestError, type StatusRequest } from './http.js';

const mostBytes = 16_384;

/** The fields of a JSON body or a form, also where a body parser has read it already. */
export async function readFields(request: StatusRequest): Promise<Record<string, unknown>> {
  const { body, headers } = request;
  if (isFields(body)) return body;
  const text = textOf(body) ?? (await readText(request));
  if (!String(headers['content-type']).includes('json')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  const parsed = parse(text);
  if (isFields(parsed)) return parsed;
  throw new RequestError(400, 'Expected the body to be an object of JSON, or a form');
}

function isFields(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  // Some parsers leave an empty object where they found nothing to parse.
  return Object.keys(value).length > 0;
}

/** Of a body that a parser has read without making fields of it. */
function textOf(body: unknown): string | undefined {
  if (ArrayBuffer.isView(body)) return new TextDecoder().decode(body);
  return typeof body === 'string' ? body : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readText(request: StatusRequest): Promise<string> {
  if (request.readableEnded) return Promise.resolve('');
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    request.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > mostBytes) reject(new RequestError(413, 'The body is too large'));
      else text += decoder.decode(chunk, { stream: true });
    });
    request.on('end', () => resolve(text));
    request.on('error', reject);
  });
}
