import type { AxiosRequestConfig } from 'axios';
import { urlWithoutUserinfo } from '../request-url.js';
import { classOf, jsonCopy } from './json-copy.js';

/**
 * A request as plain data: JSON can carry it, and `client.request(description)` sends what the server would
 * have got.
 */
export interface QueuedRequest {
  /** In upper case. */
  readonly method: string;
  /** With the base URL, without userinfo and fragment; relative where there is no base. */
  readonly url: string;
  readonly params?: unknown;
  /** As the caller gave it, so that it is encoded once; absent where there is none. */
  readonly data?: unknown;
  /** Those that were asked for and set; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * @param data - as the caller gave it
 * @param headerNames - in lower case
 * @throws TypeError where JSON cannot carry it.
 */
export function queuedRequest(
  config: AxiosRequestConfig,
  data: unknown,
  headerNames: ReadonlySet<string>,
): QueuedRequest {
  const headers = headersOf(config.headers, headerNames);
  const params = (config.params ?? undefined) as unknown;
  const url = urlWithoutUserinfo(config);
  const isQuery = classOf(params) === 'URLSearchParams';
  const copy = isQuery ? undefined : jsonCopy('params', params, 'form');
  const body = dataOf(data, headers['content-type']);
  return {
    method: methodOf(config),
    url: isQuery ? withQuery(url, String(params)) : url,
    ...(copy !== undefined && { params: copy }),
    ...(body !== undefined && { data: body }),
    headers,
  };
}

type HeaderValue = string | number | boolean | readonly string[] | null | undefined;

export function methodOf({ method = 'get' }: AxiosRequestConfig): string {
  return method.toUpperCase();
}

function dataOf(data: unknown, contentType = ''): unknown {
  if (classOf(data) === 'URLSearchParams') return String(data);
  const isForm = /form-urlencoded|form-data/i.test(contentType);
  return jsonCopy('data', data, isForm ? 'form' : 'json');
}

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

function headersOf(given: unknown, names: ReadonlySet<string>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(allHeaders(given))) {
    const isSet = value !== undefined && value !== null && value !== false;
    if (isSet && names.has(name.toLowerCase())) {
      headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
    }
  }
  return headers;
}

/** In axios 1.0 the defaults show only in the JSON form. */
function allHeaders(given: unknown): Record<string, HeaderValue> {
  const headers = Object(given) as { toJSON?: () => object };
  return (headers.toJSON?.() ?? headers) as ReturnType<typeof allHeaders>;
}
