/** Our packages as others get them: packed, and installed into one empty project by one `npm install`. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { separatePackages } from '../../../tools/separate-packages/install';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { typescript } from '../../support/runner/compiled';

const root = process.cwd();
const folders = ['client', 'editor-engine', 'eventstore-node', 'ratelimit', 'resource-server', 'runner'] as const;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts: { readonly build: string };
}

type LockEntry = Readonly<Record<string, unknown>>;

const readJson = <Content>(...path: readonly string[]): Content =>
  JSON.parse(readFileSync(join(...path), 'utf8')) as Content;

const manifestIn = (directory: string): Manifest => readJson(directory, 'package.json');

/** By its own script, without the two times npm that `npm pack` begins for it. */
const build = (folder: string): void => {
  const cwd = join(root, 'packages', folder);
  const [, form = ''] = /main\.ts (\w+)$/.exec(manifestIn(cwd).scripts.build) ?? [];
  execFileSync(process.execPath, [...typescript(), join(root, 'tools', 'build-package', 'main.ts'), form], { cwd });
};

/** Builds each package, as before it is published. Answers its tarball's name in the directory by the package's name. */
const packInto = (directory: string): ReadonlyMap<string, string> => {
  folders.forEach(build);
  const workspaces = folders.flatMap((folder) => ['--workspace', join('packages', folder)]);
  const out = execFileSync(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', directory, ...workspaces],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    },
  );
  const packed: unknown = JSON.parse(out);
  const tarballs = Object.values(packed as object) as readonly { readonly name: string; readonly filename: string }[];
  return new Map(tarballs.map(({ name, filename }) => [name, filename]));
};

const lockedIn = (folder: string): Readonly<Record<string, LockEntry>> =>
  readJson<{ readonly packages: Readonly<Record<string, LockEntry>> }>(folder, 'package-lock.json').packages;

/** The project's own locked versions of third-party packages: npm fetches nothing that `npm ci` has not fetched before. */
const lockOf = (
  dependencies: Readonly<Record<string, string>>,
  home: string,
  tarballs: ReadonlyMap<string, string>,
) => {
  const foreign = Object.entries(lockedIn(root)).filter(
    ([path, { link, dev }]) => path.startsWith('node_modules/') && link !== true && dev !== true,
  );
  const own = folders.map((folder) => {
    const { name, version, dependencies: needed, bin } = manifestIn(join(root, 'packages', folder));
    const file = tarballs.get(name) ?? '';
    const digest = createHash('sha512')
      .update(readFileSync(join(home, file)))
      .digest('base64');
    const entry = { version, resolved: `file:../${file}`, integrity: `sha512-${digest}`, dependencies: needed, bin };
    return [`node_modules/${name}`, entry] as const;
  });
  return {
    lockfileVersion: 3,
    requires: true,
    packages: { '': { dependencies }, ...Object.fromEntries([...foreign, ...own]) },
  };
};

/** From where it is installed already, if none of our packages has brought it. */
const linkInto = (modules: string, name: string): void => {
  const target = join(modules, name);
  if (existsSync(target)) return;
  const source = [root, separatePackages.thirdParty]
    .map((folder) => join(folder, 'node_modules', name))
    .find(existsSync);
  if (source === undefined) throw new Error(`${name} is not installed`);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(resolve(source), target);
};

export interface Installation {
  /** A directory of the project for one package's samples, with these files. */
  readonly directoryFor: (name: string, files: Readonly<Record<string, string>>) => string;
  /** An empty directory elsewhere. */
  readonly dataFor: (name: string) => string;
  readonly program: (name: string) => string;
  readonly manifestOf: (name: string) => Manifest;
  readonly remove: () => void;
}

/** Beside our packages the project has what its samples use themselves, by links. */
export const install = (used: readonly string[]): Installation => {
  const { path: home, remove } = temporaryDirectory('packages');
  const project = join(home, 'project');
  mkdirSync(project);
  const tarballs = packInto(home);
  const dependencies = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:../${file}`]));
  const write = (path: string, content: unknown): void => writeFileSync(join(project, path), JSON.stringify(content));
  write('package.json', { private: true, dependencies });
  write('package-lock.json', lockOf(dependencies, home, tarballs));
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...quiet], { cwd: project, stdio: 'pipe' });
  for (const name of used) linkInto(join(project, 'node_modules'), name);
  return {
    directoryFor: (name, files) => {
      const directory = join(project, name);
      mkdirSync(directory);
      for (const [file, content] of Object.entries(files)) writeFileSync(join(directory, file), content);
      return directory;
    },
    dataFor: (name) => {
      const directory = join(home, `data-${name}`);
      mkdirSync(directory);
      return directory;
    },
    program: (name) => join(project, 'node_modules', '.bin', name),
    manifestOf: (name) => manifestIn(join(project, 'node_modules', name)),
    remove,
  };
};
