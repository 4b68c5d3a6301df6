import type { AxiosRequestConfig } from 'axios';
import type { HeaderLines } from './header-lines.js';

/** Headers that carry a credential wherever there are any; `credentialHeaders` adds to them. */
const known = ['authorization', 'cookie', 'x-api-key'];

// Who asks may stand in a header of any name: what sounds like it keeps requests apart. The neutral ones
// only sound like it, and would keep each request apart from all others.
const telling =
  /auth|cookie|token|secret|session|credential|passw|sign|jwt|key|user|account|member|customer|client|tenant|org|team|workspace|company|profile|role|identity|principal|subject|impersonat|behalf|sudo|login|mail|host|^from$/;
const neutral = /^user-agent$|^idempotency-key$|(?:request|trace|correlation)-?id$/;

const userinfo = /^(?:[a-z][a-z\d+.-]*:)?[\\/]{2}[^\\/?#]*@/i;

/** What a request says of who asks. */
export interface Credentials {
  /** What stands elsewhere than in the URL, in a form for JSON. */
  readonly parts: readonly unknown[];
  /** Whether there is none, in the URL either. */
  readonly areNone: boolean;
  /** Whether the server is given one, and so may answer for one user alone. */
  readonly identify: boolean;
  /** Whether axios makes an `Authorization` of something else than the headers of the config. */
  readonly areBasic: boolean;
}

interface Basic {
  readonly username: string;
  readonly password: string;
}

/** Finds what tells one user's requests from another's. */
export class CredentialReader {
  readonly #known: ReadonlySet<string>;

  constructor(credentialHeaders: readonly string[]) {
    this.#known = new Set([...known, ...credentialHeaders.map((name) => name.toLowerCase())]);
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
    const areNone = parts.length === 0 && !areBasic && !this.#isInQuery(url);
    return { parts, areNone, identify: areSent || areBasic, areBasic };
  }

  /** Whether a header, named in lower case, may say who asks. */
  isTelling(name: string): boolean {
    return this.#known.has(name) || (telling.test(name) && !neutral.test(name));
  }

  #isInQuery(url: string): boolean {
    const names = new URLSearchParams(url.split('?')[1]).keys();
    return [...names].some((name) => this.isTelling(name.toLowerCase()));
  }
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
