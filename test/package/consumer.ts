import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
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

/** A project that has the package next to one version of axios. */
export interface Consumer {
  readonly folder: string;
  write(file: string, text: string): Promise<void>;
  /** Runs node in the project and returns what it printed. @throws Error with what it complained of. */
  node(...args: string[]): Promise<string>;
  /** The same with another node, which must end by itself: what it printed, and what it complained of. */
  run(program: string, ...args: string[]): Promise<{ stdout: string; stderr: string }>;
  remove(): Promise<void>;
}

const tooLong = 45_000;

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

/**
 * `axios`: a package in our own node_modules; `flags`: of npm. Our copies are linked rather than fetched,
 * and so are the dependencies that the manifest names, so that no registry is needed.
 */
export async function install(
  { tarball }: Packed,
  axios: string,
  ...flags: string[]
): Promise<Consumer> {
  const folder = await temporaryFolder();
  const remove = () => rm(folder, { recursive: true });
  const linked = Object.keys(manifest.dependencies).map((name) => [
    name,
    fileSpec(installed(name)),
  ]);
  const dependencies = {
    ...(Object.fromEntries(linked) as Record<string, string>),
    axios: fileSpec(installed(axios)),
    [manifest.name]: fileSpec(tarball),
  };
  const project = JSON.stringify({ name: 'consumer', private: true, dependencies });
  await writeFile(join(folder, 'package.json'), project);
  try {
    await run(
      'npm',
      ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...flags],
      { cwd: folder },
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return consumerIn(folder);
}

/**
 * As `install`, but by hand, and so in no time: for what is not about npm. `more`: further packages of
 * ours.
 */
export async function place(
  { tarball }: Packed,
  axios: string,
  ...more: string[]
): Promise<Consumer> {
  const folder = await temporaryFolder();
  const modules = join(folder, 'node_modules');
  const own = join(modules, manifest.name);
  await mkdir(own, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
  for (const name of [...Object.keys(manifest.dependencies), ...more]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(installed(name), join(modules, name));
  }
  await symlink(installed(axios), join(modules, 'axios'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer' }));
  return consumerIn(folder);
}

function consumerIn(folder: string): Consumer {
  const start = async (program: string, args: string[]) => {
    try {
      return await run(program, args, { cwd: folder, timeout: tooLong });
    } catch (error) {
      // The compilers complain on stdout, of which the error's own message says nothing.
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`node ${args.join(' ')} failed: ${stdout}${stderr}`, { cause: error });
    }
  };
  return {
    folder,
    write: (file, text) => writeFile(join(folder, file), text),
    node: async (...args) => (await start(process.execPath, args)).stdout,
    run: (program, ...args) => start(program, args),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), `${manifest.name}-`)));
}
