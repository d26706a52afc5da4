/**
 * A copy of a directory of blobs as it was at one moment, made while it is in use. It is a directory of blobs itself: put in
 * the place of the other one, it is restored.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { BlobFault } from '../../../ports/blob-store';
import { diskFault, unavailable } from '../blob-faults';
import { type ContentFiles, openFiles } from './content-files';
import { type BlobIndex, keyOf, openIndex } from './lmdb-index';

export interface BackedUp {
  readonly blobs: number;
  /** Files that should have been there and were not: their blobs are damaged, in the original as in the copy. */
  readonly missing: number;
}

/** A backup that died is waited for no longer than that. */
const longest = 24 * 60 * 60 * 1_000;

const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const isCopied = async (from: string, to: string): Promise<boolean> => {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  await flush(to);
  return true;
};

const copyFiles = async ({ tables }: BlobIndex, from: ContentFiles, target: string): Promise<BackedUp> => {
  const to = openFiles(join(target, 'content'));
  const folders = new Set<string>();
  let missing = 0;
  for (const key of [...tables.files.getKeys()]) {
    const path = to.pathOf(key.toString('utf8'));
    if (!(await isCopied(from.pathOf(key.toString('utf8')), path))) missing += 1;
    folders.add(dirname(path));
  }
  for (const path of [...folders, join(target, 'index.mdb'), target]) await flush(path);
  return { blobs: tables.entries.getKeysCount({}), missing };
};

const makeCopy = async (original: BlobIndex, directory: string, target: string): Promise<BackedUp> => {
  await original.tables.root.backup(join(target, 'index.mdb'), false);
  const copy = openIndex(target);
  try {
    // The pin of this very backup is in the copy.
    await copy.write(() => copy.tables.pins.clearSync());
    return await copyFiles(copy, openFiles(join(directory, 'content')), target);
  } finally {
    await copy.close();
  }
};

/** From before the copy of the index is made, so that every file it names stays where it is. */
const pinned = async <Result>(
  { tables, write }: BlobIndex,
  task: () => Promise<Result>,
): Promise<Either<BlobFault, Result>> => {
  const id = randomBytes(16);
  const pin = await write(() => tables.pins.putSync(id, Date.now() + longest));
  if (isLeft(pin)) return pin;
  try {
    return right(await task());
  } finally {
    await write(() => tables.pins.removeSync(id));
  }
};

/** Looks up blobs of such a copy. */
export const openCopiedBlobs = (directory: string) => {
  const { tables, close } = openIndex(directory);
  return { has: (key: string): boolean => tables.entries.doesExist(keyOf(key)), close };
};

/** What is removed meanwhile stays on disk until the next sweep. */
export const backUpLocalBlobs = async (directory: string, target: string): Promise<Either<BlobFault, BackedUp>> => {
  try {
    await mkdir(target, { recursive: true, mode: 0o700 });
    if ((await readdir(target)).length > 0) return left(unavailable('The backup needs an empty directory.'));
    const original = openIndex(directory);
    try {
      return await pinned(original, () => makeCopy(original, directory, target));
    } finally {
      await original.close();
    }
  } catch (error) {
    return left(diskFault(error));
  }
};
