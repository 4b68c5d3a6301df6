import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Runs a program of this folder until it ends by itself, and returns what it printed: JSON. Rejects
 * for any exit code but 0, and for a program that had to be killed after `timeout` ms.
 */
export async function runScript<Printed>(
  name: string,
  args: readonly string[] = [],
  nodeOptions: readonly string[] = [],
  timeout = 20_000,
): Promise<Printed> {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...nodeOptions, '--import', 'tsx', script, ...args],
    { timeout },
  );
  return JSON.parse(stdout) as Printed;
}
