import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };

const run = promisify(execFile);
const root = resolve(__dirname, '../..');
const installed = (name: string) => join(root, 'node_modules', name);
const fileSpec = (path: string) => `file:${path}`;

/** The package as npm would publish it. */
export interface Packed {
  readonly tarball: string;
  /** The paths in the tarball. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

/** A project that has installed the tarball next to one version of axios. */
export interface Consumer {
  write(file: string, text: string): Promise<void>;
  /** Runs node in the project and returns what it printed. @throws Error with what it complained of. */
  node(...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** @throws Error where nothing is built. */
export async function pack(): Promise<Packed> {
  if (!existsSync(join(root, 'dist/esm')) || !existsSync(join(root, 'dist/cjs/package.json'))) {
    throw new Error('There is no dist to pack: run `npm run build` first, as `npm test` does.');
  }
  const folder = await temporaryFolder();
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: root },
  );
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return {
    tarball: join(folder, packed.filename),
    files: packed.files.map(({ path }) => path),
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Our copy of a package, for `npm install`. */
export const ourCopy = (name: string): string => fileSpec(installed(name));

/**
 * `axios`: a package in our own node_modules, or a version; `more`: further packages and flags. Our copies
 * are linked rather than fetched, and so are the dependencies that the manifest names, so that no registry
 * is needed.
 */
export async function install(
  { tarball }: Packed,
  axios: string,
  ...more: string[]
): Promise<Consumer> {
  const folder = await temporaryFolder();
  const remove = () => rm(folder, { recursive: true });
  const linked = Object.keys(manifest.dependencies).map((name) => [name, ourCopy(name)]);
  const dependencies = {
    ...(Object.fromEntries(linked) as Record<string, string>),
    axios: existsSync(installed(axios)) ? ourCopy(axios) : axios,
    [manifest.name]: fileSpec(tarball),
  };
  const project = JSON.stringify({ name: 'consumer', private: true, dependencies });
  await writeFile(join(folder, 'package.json'), project);
  try {
    await run(
      'npm',
      ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...more],
      { cwd: folder },
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    write: (file, text) => writeFile(join(folder, file), text),
    node: async (...args) => {
      try {
        return (await run(process.execPath, args, { cwd: folder })).stdout;
      } catch (error) {
        // The compilers complain on stdout, of which the error's own message says nothing.
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`node ${args.join(' ')} failed: ${stdout}${stderr}`, { cause: error });
      }
    },
    remove,
  };
}

async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), `${manifest.name}-`)));
}
