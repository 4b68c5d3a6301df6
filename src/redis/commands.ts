/** What is asked of Redis, whatever the client. */
export interface Commands {
  run(keys: string[], args: string[]): Promise<unknown>;
  /** Calls `onMessage` at each message of the channel. Returns the function that ends that. */
  listen(channel: string, onMessage: (message: string) => void): () => void;
}

/** By the name that Redis remembers the script under, if it does. */
export async function withScript(
  run: () => Promise<unknown>,
  load: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
    return load();
  }
}

/** What listening misses, polling finds out. */
export function ignore(): void {
  return undefined;
}
