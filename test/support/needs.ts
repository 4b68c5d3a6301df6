import { isInstalled } from './programs.js';

/**
 * `describe` where the machine has the program. Elsewhere it leaves its tests out; in CI, which must leave
 * nothing out, the file fails.
 *
 * @throws Error in CI where there is no such program.
 */
export function needs(program: string): jest.Describe {
  if (isInstalled(program)) return describe;
  if (process.env['CI'] === 'true') throw new Error(`${program} is not on this machine`);
  return describe.skip;
}
