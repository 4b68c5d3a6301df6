import axios from 'axios';
import { describe } from '../describe.js';
import type { Adapter, AxiosLike, AxiosStaticLike, RequestConfig } from './axios-like.js';

/** Finds the function behind an adapter as a config gives it: a function, a name, a list, or nothing. */
export type AdapterResolver = (adapter: unknown, config: RequestConfig) => Adapter;

/**
 * Names are looked up in the user's own axios where it can be told, so that its errors are of the
 * user's copy.
 *
 * @throws Error where the default adapter is a name that no axios at hand can look up.
 */
export function adapterResolver(
  http: AxiosLike,
  given: AxiosStaticLike | undefined,
): AdapterResolver {
  const own = http as AxiosStaticLike;
  const getAdapter = own.getAdapter ?? given?.getAdapter ?? (axios as AxiosStaticLike).getAdapter;
  const defaultAdapter = (given ?? axios).defaults?.adapter;

  const resolve: AdapterResolver = (adapter, config) => {
    const wanted = adapter ?? defaultAdapter;
    if (typeof wanted === 'function') return wanted as Adapter;
    if (getAdapter !== undefined) return getAdapter(wanted, config) as Adapter;
    throw new Error(
      `Expected \`adapter\` to be a function, got ${describe(wanted)}: this version of axios has no getAdapter. Use axios below 1.2 or from 1.5.1 on, or set the adapter to a function.`,
    );
  };

  if (getAdapter === undefined) resolve(http.defaults?.adapter, {});
  return resolve;
}
