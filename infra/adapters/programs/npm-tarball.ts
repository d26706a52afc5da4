/** Published packages that are no dependency of ours: fetched by npm, from the registry that it is set up for, checked against pinned digests, unpacked. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { onPath } from '../../../packages/sandbox/src/on-path';
import { cancelled, missing, type ProgramFault } from './program-fault';
import { type ProgramResult, reasonIn, run } from './run-program';

export interface NpmTarball {
  readonly name: string;
  readonly version: string;
  /** Of the file in the registry, in hexadecimal digits. */
  readonly sha512: string;
}

export interface TarballFaults {
  /** npm, or the Python that unpacks, is not there. */
  readonly noPrograms: string;
  readonly notFetched: string;
  readonly notUnpacked: string;
}

export interface FetchTarballs {
  readonly tarballs: readonly NpmTarball[];
  /** Each is unpacked in `node_modules` in it. */
  readonly directory: string;
  readonly faults: TarballFaults;
  readonly signal: AbortSignal | undefined;
}

const fileOf = ({ name, version }: NpmTarball): string => `${name}-${version}.tgz`;

const isIntact = (directory: string, tarball: NpmTarball): boolean =>
  createHash('sha512')
    .update(readFileSync(join(directory, fileOf(tarball))))
    .digest('hex') === tarball.sha512;

export const fetchTarballs = async (request: FetchTarballs): Promise<Either<ProgramFault, void>> => {
  const { tarballs, directory, faults, signal } = request;
  const [npm, python] = [onPath('npm'), onPath('python3')];
  if (npm === undefined || python === undefined) return left(missing(faults.noPrograms));

  const faultOf = ({ ok, output }: ProgramResult, detail: string): Either<ProgramFault, void> => {
    if (signal?.aborted) return left(cancelled);
    return ok ? right(undefined) : left(missing(detail, reasonIn(output)));
  };
  const packages = tarballs.map(({ name, version }) => `${name}@${version}`);
  const options = ['pack', '--silent', '--ignore-scripts', '--pack-destination', directory, ...packages];
  const packed = faultOf(await run({ program: npm, arguments: options, directory, signal }), faults.notFetched);
  if (isLeft(packed)) return packed;

  mkdirSync(join(directory, 'node_modules'));
  for (const tarball of tarballs) {
    const file = join(directory, fileOf(tarball));
    if (!isIntact(directory, tarball)) return left(missing(faults.notFetched, `${fileOf(tarball)} has another digest`));
    const extraction = ['-m', 'tarfile', '-e', file, directory];
    const unpacked = faultOf(await run({ program: python, arguments: extraction, signal }), faults.notUnpacked);
    if (isLeft(unpacked)) return unpacked;
    renameSync(join(directory, 'package'), join(directory, 'node_modules', tarball.name));
    rmSync(file);
  }
  return right(undefined);
};
