import type { RequestConfig } from './axios-like.js';

/** Data as axios makes it, of a config's `transformResponse`. */
export function transform(
  transforms: unknown,
  self: unknown,
  data: unknown,
  rest: readonly unknown[],
): unknown {
  return [transforms]
    .flat()
    .reduce((made, fn) => (typeof fn === 'function' ? fn.call(self, made, ...rest) : made), data);
}

/** The data of a response as axios is going to make it; as it is where that throws. */
export function transformed(config: RequestConfig, response: TransformedResponse): unknown {
  const { data, headers, status } = response;
  try {
    return transform(config['transformResponse'], config, data, [headers, status]);
  } catch {
    return data;
  }
}

interface TransformedResponse {
  readonly data?: unknown;
  readonly headers?: unknown;
  readonly status?: unknown;
}

/**
 * Watches what axios makes of the answer to a request. The function that it returns puts the config back
 * as it was, and tells whether that is done and nothing was thrown.
 */
export function watchTransform(config: RequestConfig): () => boolean {
  const { transformResponse: watched } = config;
  let isDone = false;
  function watching(this: unknown, data: unknown, ...rest: unknown[]): unknown {
    const made = transform(watched, this, data, rest);
    isDone = true;
    return made;
  }
  Reflect.set(config, 'transformResponse', Object.assign(watching, { watched }));
  return () => {
    if (config['transformResponse'] !== watching) return isDone;
    if (watched === undefined) Reflect.deleteProperty(config, 'transformResponse');
    else Reflect.set(config, 'transformResponse', watched);
    return isDone;
  };
}

/** A config's `transformResponse` as the caller gave it, while it is watched, too. */
export function unwatched(transforms: unknown): unknown {
  const isWatching = typeof transforms === 'function' && 'watched' in transforms;
  return isWatching ? unwatched(transforms.watched) : transforms;
}
