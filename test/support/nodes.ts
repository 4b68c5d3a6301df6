import { isExecutable, nodeProgram } from './programs.js';

/** A program that is one version of Node. */
export interface Node {
  readonly version: string;
  readonly program: string;
}

/**
 * The Node that runs this, and those of the versions that `.ci/run` has installed; in CI, which must leave
 * nothing out, the file fails.
 *
 * @throws Error in CI where one is missing.
 */
export function nodesOf(versions: readonly string[]): readonly Node[] {
  const [own = ''] = process.versions.node.split('.');
  const all = [own, ...versions.filter((version) => version !== own)].map((version) => ({
    version,
    program: nodeProgram(version),
  }));
  const missing = all.filter(({ program }) => !isExecutable(program));
  if (missing.length > 0 && process.env['CI'] === 'true') {
    const list = missing.map(({ version }) => version).join(', ');
    throw new Error(`Node ${list} is not in .nodes, where .ci/run puts it`);
  }
  return all.filter((node) => !missing.includes(node));
}
