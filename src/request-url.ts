/** The fields of a config that say where a request goes. */
export interface RequestTarget {
  readonly url?: unknown;
  readonly baseURL?: unknown;
  readonly allowAbsoluteUrls?: unknown;
  readonly socketPath?: unknown;
}

const absolute = /^([a-z][a-z\d+\-.]*:)?\/\//i;
const nowhere = 'http://nowhere.invalid';

/** Origin and path of a request, as axios builds its URL; never its query or credentials. */
export function originAndPath(config: RequestTarget): { origin?: string; path?: string } {
  const url = typeof config.url === 'string' ? config.url : '';
  const base = typeof config.baseURL === 'string' ? config.baseURL : '';
  const usesBase = base !== '' && (!absolute.test(url) || config.allowAbsoluteUrls === false);
  const full = usesBase ? `${base.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}` : url;
  try {
    const { origin, pathname } = new URL(full, nowhere);
    // A URL without a host, such as data:, has all that it carries in its path.
    if (origin === 'null') return {};
    return origin === nowhere ? { path: pathname } : { origin, path: pathname };
  } catch {
    return {};
  }
}

/** Scheme, host and port of a request, however they are written; `undefined` where it names none. */
export function originKey(config: RequestTarget): string | undefined {
  const { socketPath } = config;
  if (typeof socketPath === 'string' && socketPath !== '') return `unix:${socketPath}`;
  return originAndPath(config).origin;
}
