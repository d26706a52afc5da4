/** Restores a backup into a directory that holds no log yet. The data file gets its name after it has been checked. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { copyWithDigest, type Progress, syncPath } from '../../../data-directory/src/files';
import { describeProcess, lockDirectory } from '../../../data-directory/src/index';
import { logFileOf } from '../storage/lmdb-tables';
import { readLogContents } from './log-snapshot';
import { type Manifest, matchesManifest, readManifest } from './manifest';

export interface RestoreOptions {
  readonly from: string;
  readonly data: string;
  readonly progress: Progress;
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;

/** The first problem with the copy, if any. */
const findProblem = async (directory: string, manifest: Manifest, sha256: string): Promise<string | undefined> => {
  if (sha256 !== manifest.sha256) return 'its SHA-256 is not the one in its manifest';
  const contents = await readLogContents(directory);
  if (isLeft(contents)) return contents.left;
  return matchesManifest(manifest, contents.right) ? undefined : 'its events differ from its manifest';
};

const restoreChecked = async (
  { from, data, progress }: RestoreOptions,
  manifest: Manifest,
): Promise<Either<string, Manifest>> => {
  const [source, target] = [logFileOf(from), logFileOf(data)];
  const size = sizeOf(source);
  if (size !== manifest.bytes)
    return left(`The backup ${from} is not whole: ${size ?? 'no'} bytes instead of ${manifest.bytes}.`);
  if (existsSync(target)) return left(`${data} already has an event log: nothing is overwritten.`);
  const temporary = join(data, 'restoring');
  // The process that left it behind is gone: this directory is locked.
  rmSync(temporary, { recursive: true, force: true });
  try {
    mkdirSync(temporary, { mode: 0o700 });
    const problem = await findProblem(
      temporary,
      manifest,
      await copyWithDigest(source, logFileOf(temporary), progress),
    );
    if (problem !== undefined) return left(`The backup ${from} cannot be used: ${problem}.`);
    renameSync(logFileOf(temporary), target);
    syncPath(data);
    syncPath(dirname(resolve(data)));
    return right(manifest);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

/** Left is one line for the user. */
export const restoreBackup = async (options: RestoreOptions): Promise<Either<string, Manifest>> => {
  const manifest = readManifest(options.from);
  if (isLeft(manifest)) return manifest;
  try {
    const lock = lockDirectory(options.data, 'node');
    if (isLeft(lock)) return left(`${options.data} is in use by ${describeProcess(lock.left)}.`);
    try {
      return await restoreChecked(options, manifest.right);
    } finally {
      lock.right.release();
    }
  } catch (error) {
    return left(`The backup was not restored: ${(error as Error).message}.`);
  }
};
