import { oneLine } from '../circuit/one-line.js';
import { urlWithoutUserinfo } from '../request-url.js';

// Parsers disagree about these, or take them away.
const ambiguous = /[^ -~\u0080-\uffff]|\\|^ | $/;
const isHttp = /^https?:/i;
const scheme = /^[a-z][a-z\d+.-]*:/i;
const parts = /^https?:\/\/([^/?#@]+)((?:[/?][^#]*)?)$/i;

/** Where stored requests may go. */
export class Targets {
  readonly #base: string | undefined;
  readonly #origins: ReadonlySet<string>;

  /** `baseURL`: the client's; `allowedOrigins`: as URLs write them. */
  constructor(baseURL: unknown, allowedOrigins: readonly string[]) {
    const isBase = typeof baseURL === 'string' && isHttp.test(baseURL) && parsed(baseURL);
    const base = isBase ? baseURL : undefined;
    this.#base = base && urlWithoutUserinfo({ url: base }).replace(/\/+$/, '');
    const own = base === undefined ? [] : [new URL(base).origin];
    this.#origins = new Set([...own, ...allowedOrigins]);
  }

  get areNone(): boolean {
    return this.#origins.size === 0;
  }

  /**
   * The URL to send to: its origin is one of the allowed, as we read it and nobody can read it otherwise;
   * the rest is as written.
   *
   * @throws Error that shows nothing but the origin.
   */
  resolve(url: unknown): string {
    if (typeof url !== 'string' || ambiguous.test(url)) throw unreadable();
    const whole = scheme.test(url) ? url : this.#joined(url);
    const [, authority, rest] = parts.exec(whole) ?? [];
    const origin = authority === undefined ? undefined : parsed(whole)?.origin;
    if (origin === undefined || rest === undefined) throw unreadable();
    if (this.#origins.has(origin)) return `${origin}${rest}`;
    throw new Error(`Its origin is none that is allowed: ${oneLine(origin)}`);
  }

  #joined(url: string): string {
    if (url.startsWith('//')) throw unreadable();
    if (this.#base === undefined) throw new Error('Its `url` is relative, the client has no base');
    return url === '' ? this.#base : `${this.#base}/${url.replace(/^\/+/, '')}`;
  }
}

/** Whether a URL has an origin, and is nothing but that. */
export function isOrigin(text: string): boolean {
  return parts.test(text) && parsed(text)?.origin === text;
}

function parsed(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

// It may hold a password, so it is not shown.
function unreadable(): Error {
  return new Error('Its `url` is no URL of http or https without userinfo and fragment');
}
