import type { AxiosRequestConfig } from 'axios';
import { adapterNames } from './wire.js';

/** The adapters of this axios that send over a real socket, and the config that asks for each. */
export const senders: {
  readonly sender: 'http' | 'fetch';
  readonly config: AxiosRequestConfig;
}[] = [{ sender: 'http', config: {} }];
if (adapterNames.includes('fetch')) senders.push({ sender: 'fetch', config: { adapter: 'fetch' } });
