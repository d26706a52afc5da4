/** Copies a directory of blobs as of one moment, or a bucket blob by blob, unless the bucket has backups of its own. */
import { existsSync, readdirSync } from 'node:fs';
import { constants, copyFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { syncPath } from '../../../../packages/data-directory/src/files';
import { backUpLocalBlobs, openCopiedBlobs } from '../../../adapters/blobs/local/backup';
import { openBlobs } from '../../../adapters/blobs/open-blob-store';
import type { BlobStore } from '../../../ports/blob-store';
import { OperatorError } from '../../launch/operator-error';
import type { Manifest } from '../backup-manifest';
import { filesUnder } from '../checksums';
import type { Installation, placesIn, Settings } from '../installation';
import { copyBucket, fillBucket, hasBackedUpBlob, isEmptyBucket } from './bucket-blobs';
import { ownDirectory } from './key-files';

type BlobPart = Manifest['blobs'];
type Places = ReturnType<typeof placesIn>;

const blobsIn = (backup: string): string => join(backup, 'blobs');

const withBucket = async <A>(settings: Settings, work: (blobs: BlobStore) => Promise<A>): Promise<A> => {
  const blobs = openBlobs({ ...settings, BLOBS_DIR: '' }, '');
  if (isLeft(blobs)) throw new OperatorError(blobs.left.detail);
  try {
    return await work(blobs.right);
  } finally {
    await blobs.right.close();
  }
};

const localIndexLock = 'index.mdb-lock';

/** Looks up blobs of a backup by their keys. */
export const openBackedUpBlobs = (backup: string, { kind }: BlobPart) => {
  const directory = blobsIn(backup);
  if (kind === 'bucket')
    return { has: (key: string): boolean => hasBackedUpBlob(directory, key), close: () => Promise.resolve() };
  if (kind !== 'directory') return { has: () => false, close: () => Promise.resolve() };
  const copied = openCopiedBlobs(directory);
  const close = async (): Promise<void> => {
    await copied.close();
    await rm(join(directory, localIndexLock), { force: true });
  };
  return { has: copied.has, close };
};

const copyLocal = async (directory: string, out: string): Promise<number> => {
  const copied = await backUpLocalBlobs(directory, out);
  if (isLeft(copied)) throw new OperatorError(`Blobs cannot be backed up: ${copied.left.detail}`);
  // LMDB's own, of this machine.
  await rm(join(out, localIndexLock), { force: true });
  if (copied.right.missing > 0)
    throw new OperatorError(`${copied.right.missing} files of blobs are missing in ${directory}.`);
  return copied.right.blobs;
};

export const copyBlobs = async (from: Installation, out: string, leaveOut: boolean): Promise<BlobPart> => {
  const { settings, blobsDirectory } = from;
  const bucket = settings.S3_BUCKET ?? null;
  const isThere = bucket !== null || existsSync(join(blobsDirectory, 'index.mdb'));
  if (!isThere) return { kind: 'none', count: 0, bucket };
  if (leaveOut) return { kind: 'left-out', count: 0, bucket };
  const directory = blobsIn(out);
  if (bucket === null) return { kind: 'directory', count: await copyLocal(blobsDirectory, directory), bucket };
  return { kind: 'bucket', count: await withBucket(settings, (blobs) => copyBucket(blobs, directory)), bucket };
};

const isUsed = (directory: string): boolean => existsSync(directory) && readdirSync(directory).length > 0;

/** Before anything is changed. */
export const requireEmptyBlobs = async ({ settings, blobsDirectory }: Places, { kind }: BlobPart): Promise<void> => {
  const bucket = settings.S3_BUCKET;
  if (kind === 'bucket' && bucket === undefined)
    throw new OperatorError('The backup has the blobs of a bucket: set S3_BUCKET to an empty one.');
  if (kind === 'directory' && bucket !== undefined)
    throw new OperatorError(
      'The backup has a directory of blobs, which cannot go into a bucket: restore without S3_BUCKET.',
    );
  if (kind === 'bucket' && !(await withBucket(settings, isEmptyBucket)))
    throw new OperatorError(`The bucket ${bucket} is in use: there are blobs in it. Nothing is added to them.`);
  if (kind === 'directory' && isUsed(blobsDirectory))
    throw new OperatorError(`${blobsDirectory} is in use: there are files in it. Nothing is added to them.`);
};

const putLocal = async (from: string, to: string): Promise<void> => {
  ownDirectory(to);
  for await (const path of filesUnder(from)) {
    const target = join(to, relative(from, path));
    ownDirectory(dirname(target));
    await copyFile(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    syncPath(target);
  }
};

export const restoreBlobs = async (backup: string, to: Places, { kind }: BlobPart): Promise<void> => {
  const directory = blobsIn(backup);
  if (kind === 'bucket') return withBucket(to.settings, (blobs) => fillBucket(blobs, directory));
  if (kind === 'directory') await putLocal(directory, to.blobsDirectory);
};
