import type { AxiosInstance } from 'axios';

/** What calls go through. */
export interface Client {
  send(url: string): Promise<unknown>;
  /** Whether an error says that the call was not sent. */
  isRefusal(error: unknown): boolean;
}

/** One way to protect an axios client, or none. */
export interface System {
  readonly name: string;
  /** Set up as its documentation shows it; calls `onOpen` each time that it opens. */
  protect(client: AxiosInstance, onOpen: () => void): Client;
}
