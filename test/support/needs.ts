import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * `describe` where the machine has the program. Elsewhere it leaves its tests out and says so; in CI,
 * which must leave nothing out, the file fails.
 *
 * @throws Error in CI where there is no such program.
 */
export function needs(program: string): jest.Describe {
  if (isInstalled(program)) return describe;
  const message = `left out: ${program} is not on this machine`;
  if (process.env['CI'] === 'true') throw new Error(message);
  console.info(message);
  return describe.skip;
}

function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
