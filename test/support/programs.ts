import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** Beside Node, what some tests need. */
const programs = ['redis-server', 'chromium', 'promtool'];
/** The versions of Node that the package is for. */
export const testedNodes = ['20', '22', '24', '26'];

export function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isExecutable(join(folder, program)));
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The program that is a version of Node; for that which runs this, itself. */
export function nodeProgram(version: string): string {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  return resolve(__dirname, `../../.nodes/node_modules/node${version}/bin/node`);
}

/** Run by Jest before all tests. It says in one line what they leave out. */
export default function sayWhatIsMissing(): void {
  const missing = [
    ...programs.filter((program) => !isInstalled(program)),
    ...testedNodes.filter((node) => !isExecutable(nodeProgram(node))).map((node) => `Node ${node}`),
  ];
  if (missing.length > 0) console.info(`Left out, as not on this machine: ${missing.join(', ')}`);
}
