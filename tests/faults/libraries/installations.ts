/** The libraries of each language, installed once, outside of the project, by the language's own package manager and as locked here. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { installDirectory } from '../../../infra/adapters/programs/install-directory';
import { onPath } from '../../../packages/sandbox/src/on-path';
import { toolsDirectory } from '../../support/servers/shared-servers';
import type { Library, Runtime } from './libraries';
import type { StartedProgram } from './sign-in';

const run = promisify(execFile);

/** Starts the program of a library. */
export type ProgramOf = (library: Pick<Library, 'program'>) => StartedProgram;

const folderOf = (runtime: Runtime): string => join(__dirname, runtime);

/** By what is installed and by what: another version lies elsewhere. */
const directoryFor = (runtime: Runtime, files: readonly string[], version: string): string => {
  const digest = createHash('sha256').update(version);
  for (const file of files) digest.update(readFileSync(join(folderOf(runtime), file)));
  return join(toolsDirectory, `libraries-${runtime}-${digest.digest('hex').slice(0, 16)}`);
};

interface Installed {
  readonly directory: string;
  readonly files: readonly string[];
  /** There once it is complete. */
  readonly mark: string;
  readonly command: readonly [string, ...string[]];
}

const install = async (
  runtime: Runtime,
  { directory, files, mark, command: [program, ...args] }: Installed,
): Promise<Either<string, string>> => {
  const fault = `the libraries of ${runtime}: ${program} cannot install them`;
  const installed = await installDirectory({
    directory,
    isComplete: (path) => existsSync(join(path, mark)),
    install: async (path) => {
      for (const file of files) copyFileSync(join(folderOf(runtime), file), join(path, file));
      return run(program, args, { cwd: path, maxBuffer: 2 ** 26 }).then(
        () => right(undefined),
        () => left(fault),
      );
    },
    incomplete: fault,
  });
  return isLeft(installed) ? installed : right(directory);
};

/** Modules are looked for beside the program, so the programs lie beside a link to them. */
const openNode = async (place: string): Promise<Either<string, ProgramOf>> => {
  const files = ['package.json', 'package-lock.json'];
  const installed = await install('node', {
    directory: directoryFor('node', files, process.version),
    files,
    mark: 'node_modules/.package-lock.json',
    command: ['npm', 'ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--prefer-offline'],
  });
  if (isLeft(installed)) return installed;
  const programs = readdirSync(folderOf('node')).filter((name) => name.endsWith('.mjs'));
  for (const name of programs) copyFileSync(join(folderOf('node'), name), join(place, name));
  symlinkSync(join(installed.right, 'node_modules'), join(place, 'node_modules'));
  return right(({ program }) => ({ command: process.execPath, args: [program], directory: place }));
};

const openPython = async (): Promise<Either<string, ProgramOf>> => {
  const python = onPath('python3');
  if (python === undefined) return left('the libraries of python: no python3 on the PATH');
  const version = await run(python, ['-c', 'import sys; print(sys.version_info[:2])']);
  const files = ['requirements.txt'];
  const installed = await install('python', {
    directory: directoryFor('python', files, version.stdout),
    files,
    mark: 'packages/flask',
    command: [
      ...([python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'] as const),
      ...(['--target', 'packages', '--requirement', 'requirements.txt'] as const),
    ],
  });
  if (isLeft(installed)) return installed;
  const env = { PYTHONPATH: join(installed.right, 'packages'), PYTHONDONTWRITEBYTECODE: '1' };
  return right(({ program }) => ({ command: python, args: [program], env, directory: folderOf('python') }));
};

const openJava = async (): Promise<Either<string, ProgramOf>> => {
  const [java, maven] = [onPath('java'), onPath('mvn')];
  if (java === undefined || maven === undefined) return left('the libraries of java: no java or no mvn on the PATH');
  const files = ['pom.xml', 'Application.java', 'ResourceServer.java'];
  const installed = await install('java', {
    directory: directoryFor('java', files, java),
    files,
    mark: 'target/libraries',
    command: [maven, '--batch-mode', '--quiet', 'package'],
  });
  if (isLeft(installed)) return installed;
  const target = join(installed.right, 'target');
  const classpath = [join(target, 'classes'), join(target, 'libraries', '*')].join(delimiter);
  return right(({ program }) => ({
    command: java,
    args: ['-XX:TieredStopAtLevel=1', '-classpath', classpath, program],
    directory: target,
  }));
};

/** Left: why it is not there. `place` is an empty directory of the run. */
export const openRuntime = (runtime: Runtime, place: string): Promise<Either<string, ProgramOf>> => {
  switch (runtime) {
    case 'node':
      return openNode(place);
    case 'python':
      return openPython();
    case 'java':
      return openJava();
  }
};
