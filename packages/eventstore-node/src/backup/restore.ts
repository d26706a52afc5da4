/** Puts a backup into a directory that holds no log yet; the log's name is given to what has been checked. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { copyWithDigest, flush, type Progress } from '../../../data-directory/src/files';
import { lockDirectory } from '../../../data-directory/src/index';
import { fileOf } from '../storage/database';
import { contentsOf } from './contents';
import { type Manifest, matches, readManifest } from './manifest';

export interface RestoreOptions {
  readonly from: string;
  readonly data: string;
  readonly progress: Progress;
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;

/** The first thing that is wrong with the copy, if any. */
const check = async (directory: string, manifest: Manifest, sha256: string): Promise<string | undefined> => {
  if (sha256 !== manifest.sha256) return 'its SHA-256 is not the one in its manifest';
  const contents = await contentsOf(directory);
  if (isLeft(contents)) return contents.left;
  return matches(manifest, contents.right) ? undefined : 'it holds other events than its manifest says';
};

const put = async ({ from, data, progress }: RestoreOptions, manifest: Manifest): Promise<Either<string, Manifest>> => {
  const [source, target] = [fileOf(from), fileOf(data)];
  const size = sizeOf(source);
  if (size !== manifest.bytes)
    return left(`The backup ${from} is not whole: ${size ?? 'no'} bytes instead of ${manifest.bytes}.`);
  if (existsSync(target)) return left(`${data} holds an event log already: nothing is overwritten.`);
  const beside = join(data, 'restoring');
  // Whoever left one behind is gone: this directory is locked.
  rmSync(beside, { recursive: true, force: true });
  try {
    mkdirSync(beside, { mode: 0o700 });
    const wrong = await check(beside, manifest, await copyWithDigest(source, fileOf(beside), progress));
    if (wrong !== undefined) return left(`The backup ${from} cannot be used: ${wrong}.`);
    renameSync(fileOf(beside), target);
    flush(data);
    flush(dirname(resolve(data)));
    return right(manifest);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
};

/** Left is one line for the person who asked for it. */
export const restoreBackup = async (options: RestoreOptions): Promise<Either<string, Manifest>> => {
  const manifest = readManifest(options.from);
  if (isLeft(manifest)) return manifest;
  try {
    const lock = lockDirectory(options.data, 'node');
    if (isLeft(lock)) return left(`Process ${lock.left} serves ${options.data}.`);
    try {
      return await put(options, manifest.right);
    } finally {
      lock.right.release();
    }
  } catch (error) {
    return left(`The backup was not restored: ${(error as Error).message}.`);
  }
};
