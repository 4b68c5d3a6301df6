import type { AxiosRequestConfig } from 'axios';
import type { HeaderLines } from './header-lines.js';

/** Headers that carry a credential wherever there are any; `credentialHeaders` adds to them. */
const known = ['authorization', 'cookie', 'x-api-key'];

// A credential may stand in a header of any name. These are known to say nothing of who asks, and many of
// them are new for each request, or added below the breaker; `ignoredHeaders` adds to them.
const harmless = [
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'b3',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'idempotency-key',
  'if-modified-since',
  'if-none-match',
  'pragma',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-amzn-trace-id',
  'x-b3-flags',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-spanid',
  'x-b3-traceid',
  'x-client-request-id',
  'x-cloud-trace-context',
  'x-correlation-id',
  'x-request-id',
];

const userinfo = /^(?:[a-z][a-z\d+.-]*:)?[\\/]{2}[^\\/?#]*@/i;

/** What a request says of who asks. */
export interface Credentials {
  /** What stands elsewhere than in the URL, in a form for JSON. */
  readonly parts: readonly unknown[];
  /** Whether there can be none, in the URL either. */
  readonly areNone: boolean;
  /** Whether the server is surely given one, and so may answer for one user alone. */
  readonly identify: boolean;
  /** Whether axios makes an `Authorization` of something else than the headers of the config. */
  readonly areBasic: boolean;
}

/** The names of headers that the user of `serveStale` knows better. */
export interface HeaderNames {
  readonly credentialHeaders: readonly string[];
  readonly ignoredHeaders: readonly string[];
}

interface Basic {
  readonly username: string;
  readonly password: string;
}

/** Finds what tells one user's requests from another's. */
export class CredentialReader {
  readonly #known: ReadonlySet<string>;
  readonly #ignored: ReadonlySet<string>;

  constructor({ credentialHeaders, ignoredHeaders }: HeaderNames) {
    this.#known = inLowerCase([...known, ...credentialHeaders]);
    this.#ignored = inLowerCase([...harmless, ...ignoredHeaders]);
  }

  read({ auth, proxy }: AxiosRequestConfig, url: string, headers: HeaderLines): Credentials {
    const inHeaders = [...headers].filter(([name]) => this.isTelling(name)).sort(byName);
    const parts: unknown[] = inHeaders.map(([name, lines]) => [name, ...lines]);
    if (auth) parts.push({ auth: [auth.username, auth.password] });
    const ofProxy = proxy === false ? undefined : (proxy?.auth as Basic | string | undefined);
    if (typeof ofProxy === 'string') parts.push({ proxy: ofProxy });
    else if (ofProxy) parts.push({ proxy: [ofProxy.username, ofProxy.password] });
    const areBasic = Boolean(auth) || userinfo.test(url);
    const areSent = inHeaders.some(([name, lines]) => this.#known.has(name) && lines.some(Boolean));
    const areNone = parts.length === 0 && !areBasic && !url.includes('?');
    return { parts, areNone, identify: areSent || areBasic, areBasic };
  }

  /** Whether a header, named in lower case, may say who asks. */
  isTelling(name: string): boolean {
    return this.#known.has(name) || !this.#ignored.has(name);
  }
}

function inLowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
