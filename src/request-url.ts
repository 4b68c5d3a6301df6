/** The fields of a config that say where a request goes. */
export interface RequestTarget {
  readonly url?: unknown;
  readonly baseURL?: unknown;
  readonly allowAbsoluteUrls?: unknown;
  readonly socketPath?: unknown;
}

const absolute = /^([a-z][a-z\d+\-.]*:)?\/\//i;
const nowhere = 'http://nowhere.invalid';
const plainOrigin = /^https?:\/\/[\w.-]+(?::\d+)?$/i;
const rememberedOrigins = 100;

/** Origin and path of a request; never its query or credentials. */
export function originAndPath(config: RequestTarget): { origin?: string; path?: string } {
  const full = fullUrl(config);
  try {
    const { protocol, origin, pathname } = new URL(full, nowhere);
    // A URL without a host, such as data:, has all that it carries in its path; so has one in another.
    if (origin === 'null' || protocol === 'blob:') return {};
    return origin === nowhere ? { path: pathname } : { origin, path: pathname };
  } catch {
    return {};
  }
}

/**
 * Tells scheme, host and port of a request, however they are written; `undefined` where it names none.
 * Remembers some: to parse a URL costs as much as all else that a breaker does.
 */
export function originReader(): (config: RequestTarget) => string | undefined {
  const known = new Map<string, string>();
  return (config) => {
    const { socketPath } = config;
    if (typeof socketPath === 'string' && socketPath !== '') return `unix:${socketPath}`;
    const url = fullUrl(config);
    const written = untilPath(url);
    const remembered = known.get(written);
    if (remembered !== undefined) return remembered;
    const { origin } = originAndPath(config);
    if (origin === undefined || !plainOrigin.test(written)) return origin;
    if (known.size >= rememberedOrigins) known.clear();
    known.set(written, origin);
    return origin;
  };
}

/** A URL that is absolute without its path, which changes nothing of a plain origin. */
function untilPath(url: string): string {
  // Longer than http:// by one character, and a host has one at least.
  const path = url.indexOf('/', 'https://'.length);
  return path === -1 ? url : url.slice(0, path);
}

/**
 * The URL of a request without userinfo and fragment, otherwise as it is written: relative where there is
 * no base.
 *
 * @throws TypeError where nobody can read it.
 */
export function urlWithoutUserinfo(config: RequestTarget): string {
  const [written = ''] = fullUrl(config).split('#', 1);
  const url = parsed(written, undefined) ?? parsed(written, nowhere);
  // It may hold a password, so it is not shown.
  if (url === undefined) throw new TypeError('Expected `url` to be a URL, got one that is none');
  if (url.username === '' && url.password === '') return written;
  url.username = '';
  url.password = '';
  return written.startsWith('//') ? url.href.slice(url.protocol.length) : url.href;
}

/** As axios puts it together, before it adds the params. */
function fullUrl(config: RequestTarget): string {
  const url = textOf(config.url);
  const base = textOf(config.baseURL);
  const usesBase = base !== '' && (!absolute.test(url) || config.allowAbsoluteUrls === false);
  if (!usesBase) return url;
  return url === '' ? base : `${base.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`;
}

function textOf(given: unknown): string {
  return typeof given === 'string' || given instanceof URL ? String(given) : '';
}

function parsed(url: string, base: string | undefined): URL | undefined {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
}
