/** What is asked of Redis, whatever the client. */
export interface Commands {
  run(keys: string[], args: string[]): Promise<unknown>;
  /** Returns the function that ends that. */
  listen(channel: string, onMessage: OnMessage): () => void;
}

/** Called at each message of a channel; without one where some may have been missed. */
export type OnMessage = (message?: string) => void;

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
