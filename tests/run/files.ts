/** The suites, and the selection of their files. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { contexts } from '../../domain/contexts';
import { toolsDirectory } from '../support/servers/shared-servers';

export const root = join(__dirname, '..', '..');

/** Folders under `tests/` with the rules of each context that has some. */
const contextFolders = contexts.map(({ name }) => name).filter((name) => existsSync(join(root, 'tests', name)));

export interface Suite {
  readonly name: 'unit' | 'services' | 'faults';
  /** Under `tests/`. Earlier folders hold longer files. Packages' own tests are of the unit suite. */
  readonly folders: readonly string[];
  /** Which size of fault tests runs. */
  readonly size: 'short' | 'long';
  /** Default time limit of a test or hook. Limits end what hangs: they are far above what a busy machine needs. */
  readonly testMilliseconds: number;
  readonly fileMilliseconds: number;
}

export const suites: readonly Suite[] = [
  {
    name: 'faults',
    folders: ['faults', 'e2e', 'browser', 'contracts'],
    size: 'long',
    testMilliseconds: 600_000,
    fileMilliseconds: 1_500_000,
  },
  {
    name: 'services',
    folders: ['e2e', 'browser', 'contracts'],
    size: 'short',
    testMilliseconds: 300_000,
    fileMilliseconds: 900_000,
  },
  {
    name: 'unit',
    folders: ['infra', 'packages', 'tools', 'kernel', ...contextFolders],
    size: 'short',
    testMilliseconds: 60_000,
    fileMilliseconds: 300_000,
  },
];

export interface TestFile {
  /** From `tests/` on; of a package's own, from the root. */
  readonly name: string;
  readonly path: string;
  readonly suite: Suite;
}

const hasLongSize = /\bsized\(/;

/** Outside `tests/faults`, the files with a long size. */
const belongs = ({ size }: Suite, folder: string, path: string): boolean =>
  size === 'short' || folder === 'faults' || hasLongSize.test(readFileSync(path, 'utf8'));

interface Folder {
  readonly name: string;
  readonly directory: string;
}

const foldersOf = ({ name, folders }: Suite): readonly Folder[] => [
  ...folders.map((folder) => ({ name: folder, directory: join(root, 'tests', folder) })),
  ...(name === 'unit' ? packageTests() : []),
];

const packageTests = (): readonly Folder[] =>
  readdirSync(join(root, 'packages'))
    .map((name) => join('packages', name, 'tests'))
    .map((name) => ({ name, directory: join(root, name) }))
    .filter(({ directory }) => existsSync(directory));

const filesIn = (suite: Suite): readonly TestFile[] =>
  foldersOf(suite).flatMap(({ name: folder, directory }) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
      .sort()
      .map((file) => ({ name: `${folder}/${file}`, path: join(directory, file), suite }))
      .filter(({ path }) => belongs(suite, folder, path)),
  );

const firstOfEach = (files: readonly TestFile[]): readonly TestFile[] =>
  files.filter(({ path }, place) => files.findIndex((file) => file.path === path) === place);

/** A pattern is a path, or a part of a file's name. Without patterns: all files of the suites. A file of two suites runs in the first one. */
export const selectFiles = (names: readonly Suite['name'][], patterns: readonly string[]): readonly TestFile[] => {
  const all = firstOfEach(names.flatMap((name) => suites.filter((suite) => suite.name === name)).flatMap(filesIn));
  if (patterns.length === 0) return all;
  const isNamed = ({ name, path }: TestFile): boolean =>
    patterns.some((pattern) => resolve(pattern) === path || join('tests', name).includes(pattern));
  return all.filter(isNamed);
};

const needsSystem = /\bfromRunner\('(?:system|browser)'\)|\bdescribeDocuments\(/;

/** Whether the file uses the running system or the browser of the run. */
export const usesSystem = ({ name, path }: TestFile): boolean =>
  name.startsWith('browser/') || needsSystem.test(readFileSync(path, 'utf8'));

const durationsPath = join(toolsDirectory, '..', 'septet-test-durations.json');

type Durations = Readonly<Record<string, number>>;

const readDurations = (): Durations => {
  try {
    return JSON.parse(readFileSync(durationsPath, 'utf8')) as Durations;
  } catch {
    return {};
  }
};

/**
 * Files that use the running system come first, so that it can end early: idle, it takes a quarter of a processor. Then the longest first, as
 * earlier runs measured them, so that no long file begins last. Unknown files keep the order of their folders.
 */
export const inOrder = (files: readonly TestFile[]): readonly TestFile[] => {
  const durations = readDurations();
  const weight = ({ name, suite }: TestFile): number =>
    durations[`${suite.name} ${name}`] ?? (suite.name === 'unit' ? 0 : 20_000);
  const longestFirst = [...files].sort((one, other) => weight(other) - weight(one));
  return [...longestFirst.filter(usesSystem), ...longestFirst.filter((file) => !usesSystem(file))];
};

export const saveDurations = (measured: Durations): void => {
  mkdirSync(dirname(durationsPath), { recursive: true });
  writeFileSync(durationsPath, JSON.stringify({ ...readDurations(), ...measured }));
};
