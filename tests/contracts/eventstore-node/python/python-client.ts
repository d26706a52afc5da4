/** The official Python client, esdbclient: installed once, outside the project, by the machine's Python and its pip. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { installDirectory } from '../../../../infra/adapters/programs/install-directory';
import { onPath } from '../../../../packages/sandbox/src/on-path';

const run = promisify(execFile);
const requirements = join(__dirname, 'requirements.txt');
const pinned = readFileSync(requirements, 'utf8').trim();

/** Prints the lines of a script that uses the client. */
export type RunScript = (script: string, ...args: readonly string[]) => Promise<readonly string[]>;

/** Wheels hold code for one version of Python. */
const directoryFor = async (python: string): Promise<string> => {
  const { stdout } = await run(python, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
  return join(homedir(), '.cache', 'septet-tools', `${pinned.replace('==', '-')}-python${stdout.trim()}`);
};

const install = async (python: string, directory: string): Promise<Either<string, undefined>> => {
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', directory];
  try {
    await run(python, [...pip, '--requirement', requirements]);
    return right(undefined);
  } catch {
    return left(`pip cannot install ${pinned}`);
  }
};

/** Left: why it is not there. */
export const openPythonClient = async (): Promise<Either<string, RunScript>> => {
  const python = onPath('python3');
  if (python === undefined) return left('no python3 on the PATH');
  const directory = await directoryFor(python).catch(() => undefined);
  if (directory === undefined) return left('python3 does not start');
  const installed = await installDirectory({
    directory,
    isComplete: (path) => existsSync(join(path, 'esdbclient')),
    install: (path) => install(python, path),
    incomplete: `pip installed no ${pinned}`,
  });
  if (isLeft(installed)) return installed;
  return right(async (script, ...args) => {
    const env = { ...process.env, PYTHONPATH: directory, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run(python, [join(__dirname, script), ...args], { env });
    return stdout.trim().split('\n');
  });
};
