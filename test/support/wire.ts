import axios, { type AxiosAdapter } from 'axios';

const { adapter } = axios.defaults;

/** The adapters that this axios knows by name: none in 0.x and up to 1.1. */
export const adapterNames: readonly unknown[] = [adapter].flat().filter(isName);

/** The default adapter of this axios as a function, for a test that listens in at the wire. */
export const wireAdapter: AxiosAdapter = (config) =>
  (typeof adapter === 'function' ? adapter : axios.getAdapter(adapter, config))(config);

function isName(given: unknown): boolean {
  return typeof given === 'string';
}
