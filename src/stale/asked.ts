import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { withoutGuards } from '../http/guarded.js';
import { unwatched } from '../http/transform.js';
import { CredentialReader, type Credentials, type HeaderNames } from './credentials.js';
import { headerLines, type HeaderLines } from './header-lines.js';
import { Identities } from './identities.js';

/** A request that may be answered with what was kept: what of it decides about that, as it was asked. */
export interface Asked {
  /** Whatever two requests differ in that may get different answers, but for what the answer varies by. */
  readonly text: string;
  readonly headers: HeaderLines;
  readonly credentials: Credentials;
  readonly validateStatus: ((status: number) => boolean) | null | undefined;
  readonly xsrfHeaderName: string | undefined;
}

/** Fields of a config by which the same URL may lead to something else, or to somebody else. */
const fields = [
  'responseType',
  'responseEncoding',
  'decompress',
  'transitional',
  'parseReviver',
  'allowAbsoluteUrls',
  'withCredentials',
  'socketPath',
  'httpAgent',
  'httpsAgent',
  'http2Options',
  'transport',
  'lookup',
  'proxy',
  'beforeRedirect',
  'fetchOptions',
  'env',
];

/** Reads requests. Nothing that it returns changes with the config. */
export class AskedReader {
  readonly #http = new axios.Axios({});
  readonly #identities = new Identities();
  readonly #credentials: CredentialReader;

  constructor(names: HeaderNames) {
    this.#credentials = new CredentialReader(names);
  }

  /** Nothing where the answer to such a request is never kept, or it cannot be told from others. */
  read(config: AxiosRequestConfig): Asked | undefined {
    try {
      const headers = headerLines(config.headers);
      return isEligible(config, headers) ? this.#read(config, headers) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether a header, named in lower case, may say who asks, and is a part of `text`. */
  isTelling(name: string): boolean {
    return this.#credentials.isTelling(name);
  }

  /**
   * Whether something that may say who asks came in below the breaker, by an adapter or agent of the
   * user's: before they are sent, such requests look like those of others.
   */
  isUnseen(asked: Asked, response: AxiosResponse): boolean {
    const { config, request } = response as Exchanged;
    const sent = [...headerLines(config?.headers), ...headerLines(request?.getHeaders?.())];
    return sent.some(
      ([name, lines]) =>
        this.isTelling(name) &&
        !isAxiosOwn(name, asked) &&
        String(lines) !== String(asked.headers.get(name) ?? []),
    );
  }

  #read(config: AxiosRequestConfig, headers: HeaderLines): Asked {
    const url = this.#urlOf(config);
    const credentials = this.#credentials.read(config, url, headers);
    const values = fields.map((field) => (config as Record<string, unknown>)[field]);
    values.push(withoutGuards(config.adapter), unwatched(config.transformResponse));
    const text = JSON.stringify([
      methodOf(config),
      url,
      config.data ?? null,
      this.#identities.of(values),
      credentials.parts,
    ]);
    const { validateStatus, xsrfHeaderName } = config;
    return { text, headers, credentials, validateStatus, xsrfHeaderName };
  }

  #urlOf(config: AxiosRequestConfig): string {
    const { url = '', baseURL, paramsSerializer, allowAbsoluteUrls } = config;
    const params: unknown = config.params;
    const target = { url, baseURL, params, paramsSerializer, allowAbsoluteUrls };
    const uri = this.#http.getUri(target as AxiosRequestConfig);
    const { document, location } = globalThis as Partial<typeof globalThis>;
    const base = document?.baseURI ?? location?.href;
    // In a browser the same relative URL means something else on another page.
    return base === undefined ? uri : new URL(uri, base).href;
  }
}

interface Exchanged {
  readonly config?: { readonly headers?: unknown };
  readonly request?: { getHeaders?(): unknown };
}

function methodOf({ method = 'get' }: AxiosRequestConfig): string {
  return method.toUpperCase();
}

function isEligible(config: AxiosRequestConfig, headers: HeaderLines): boolean {
  return (
    ['GET', 'HEAD'].includes(methodOf(config)) &&
    config.responseType !== 'stream' &&
    ['string', 'undefined'].includes(typeof (config.data ?? undefined)) &&
    !headers.has('range') &&
    !/\bno-store\b/i.test(String(headers.get('cache-control')))
  );
}

/** Headers that axios makes itself, of what is a part of the text anyway, or the same for all. */
function isAxiosOwn(name: string, { credentials, xsrfHeaderName }: Asked): boolean {
  return (
    name === 'host' ||
    name === 'proxy-authorization' ||
    name === xsrfHeaderName?.toLowerCase() ||
    (name === 'authorization' && credentials.areBasic)
  );
}
