/** Removes abandoned uploads, and files that a crash left. */
import { isLeft, left, right } from 'fp-ts/Either';
import type { BlobStore } from '../../../ports/blob-store';
import { diskFault } from '../blob-faults';
import { isBackupRunning, type LocalStore, removeFiles } from './content';
import { keyOf } from './lmdb-index';
import { endUpload } from './multipart-uploads';

const endUploads = async (store: LocalStore, before: number) => {
  const { tables, write } = store.index;
  const ids = [...tables.uploads.getRange({})].filter(({ value }) => value.begunAt < before).map(({ key }) => key);
  for (const id of ids) {
    const unused = await write(() => endUpload(tables, id.toString('utf8')));
    if (isLeft(unused)) return unused;
    await removeFiles(store, unused.right);
  }
  return right(ids.length);
};

/** A file that is being written now is younger than any of these. */
const removeLeftBehind = async ({ index: { tables }, files, now }: LocalStore, before: number): Promise<void> => {
  const hourAgo = now() - 60 * 60 * 1_000;
  for await (const name of files.olderThan(Math.min(before, hourAgo)))
    if (tables.files.get(keyOf(name)) === undefined && !isBackupRunning(tables)) await files.remove([name]);
};

export const sweepLocal =
  (store: LocalStore): BlobStore['sweep'] =>
  async (moment) => {
    const before = Date.parse(moment);
    const ended = await endUploads(store, before);
    if (isLeft(ended)) return ended;
    try {
      await removeLeftBehind(store, before);
      return ended;
    } catch (error) {
      return left(diskFault(error));
    }
  };
