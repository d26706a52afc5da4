/** Sources as JavaScript, made once for every process that a run starts: compiling file by file is most of a process's start. */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type BuildFailure, buildSync } from 'esbuild';
import { entryPath } from '../../../infra/server/bundle/entry-path';

const root = join(__dirname, '..', '..', '..');
const packageFolders = readdirSync(join(root, 'packages'))
  .flatMap((name) => [join('packages', name, 'src'), join('packages', name, 'tests')])
  .filter((folder) => existsSync(join(root, folder)));
const folders = ['domain', 'commands', 'projections', 'read-api', 'infra', 'tools', 'tests', ...packageFolders];
/** Compiled for browsers, by its own build. */
const webSources = join('read-api', 'web');

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter(
      (file) => file.endsWith('.ts') && !/\.d\.ts$|(^|\/)node_modules\//.test(file) && !file.startsWith(webSources),
    );

const compile = (outdir: string, entryPoints: readonly string[]): void =>
  void buildSync({
    absWorkingDir: root,
    entryPoints: [...entryPoints],
    outdir,
    outbase: root,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'silent',
  });

const isBuildFailure = (error: unknown): error is BuildFailure => error instanceof Error && 'errors' in error;

/** A file that cannot be compiled is left to the process that imports it: only that one fails, with the reason. */
const compileWhatCanBe = (outdir: string): void => {
  const sources = folders.flatMap(sourcesIn);
  try {
    compile(outdir, sources);
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    const broken = new Set(error.errors.map(({ location }) => location?.file));
    compile(
      outdir,
      sources.filter((source) => !broken.has(source)),
    );
  }
};

let own: string | undefined;

/** Outside a run, as in a bench, it goes with the process. */
const directoryOfRun = (): string => {
  if (process.env.TEST_RUN_DIRECTORY !== undefined) return process.env.TEST_RUN_DIRECTORY;
  if (own === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'septet-compiled-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    own = made;
  }
  return own;
};

/** Two lanes may come at once: one directory gets the name, complete. */
const build = (directory: string): void => {
  const making = mkdtempSync(`${directory}-`);
  compileWhatCanBe(making);
  writeFileSync(join(making, 'root'), root);
  try {
    renameSync(making, directory);
  } catch (error) {
    rmSync(making, { recursive: true });
    if (!existsSync(directory)) throw error;
  }
};

/** Options of `node` for a process that runs our sources, under their own names and with lines of them in its stacks. */
export const typescript = (): string[] => {
  const directory = join(directoryOfRun(), 'compiled');
  if (!existsSync(directory)) build(directory);
  return ['-r', join(directory, 'tests', 'support', 'runner', 'compiled-preload.js')];
};

/** Arguments of `node` for a program: entry points of ours run bundled, as everywhere; those of tests from their sources. */
export const scriptArguments = (script: string): string[] => {
  const path = relative(root, resolve(root, script));
  return path.startsWith('tests') ? [...typescript(), script] : [entryPath(path.replace(/\.ts$/, ''))];
};
