import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** The versions of Node that the package is for. */
export const testedNodes = ['20', '22', '24', '26'];

const folder = resolve(__dirname, '../../.nodes/node_modules');

/** A program that is one version of Node. */
export interface Node {
  readonly version: string;
  readonly program: string;
}

/**
 * The Node that runs this, and those of the versions that `.ci/run` has installed. It says which are not
 * there; in CI, which must leave nothing out, the file fails.
 *
 * @throws Error in CI where one is missing.
 */
export function nodesOf(versions: readonly string[]): readonly Node[] {
  const [own = ''] = process.versions.node.split('.');
  const others = versions
    .filter((version) => version !== own)
    .map((version) => ({ version, program: `${folder}/node${version}/bin/node` }));
  const missing = others.filter(({ program }) => !existsSync(program));
  if (missing.length > 0) {
    const list = missing.map(({ version }) => version).join(', ');
    const message = `left out: Node ${list} is not in .nodes, where .ci/run puts it`;
    if (process.env['CI'] === 'true') throw new Error(message);
    console.info(message);
  }
  const found = others.filter((node) => !missing.includes(node));
  return [{ version: own, program: process.execPath }, ...found];
}
