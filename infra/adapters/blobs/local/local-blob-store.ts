/** Blobs in a directory of this machine, for any number of its processes. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import type { BlobFault, BlobStore } from '../../../ports/blob-store';
import { diskFault } from '../blob-faults';
import { sweepLocal } from './cleanup';
import type { LocalStore } from './content';
import { flushNames, openFiles } from './content-files';
import { listLocal } from './list-blobs';
import { openIndex } from './lmdb-index';
import { abortLocal, beginLocal, completeLocal, partsLocal, putPartLocal, uploadsLocal } from './multipart-uploads';
import { getLocal } from './read-blobs';
import { type Signing, signGetLocal, signPartLocal, signPutLocal } from './signed-urls';
import { copyLocal, headLocal, putLocal, removeManyLocal, removeVersionLocal, versionsLocal } from './write-blobs';

export interface LocalOptions extends Omit<Signing, 'now'> {
  readonly directory: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const checkLocal =
  (directory: string): BlobStore['check'] =>
  async () => {
    try {
      // Where a disk is not mounted there may be a directory all the same, with nothing in it.
      await access(join(directory, 'content'), constants.R_OK | constants.W_OK);
      return right(undefined);
    } catch (error) {
      return left(diskFault(error));
    }
  };

const openStore = (directory: string, now: () => number): LocalStore => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  accessSync(directory, constants.R_OK | constants.W_OK);
  const store = { files: openFiles(join(directory, 'content')), index: openIndex(directory), now };
  flushNames(directory);
  return store;
};

const blobsOf = (store: LocalStore, directory: string, signing: Signing): BlobStore => {
  const removeMany = removeManyLocal(store);
  return {
    put: putLocal(store),
    head: headLocal(store),
    get: getLocal(store),
    copy: copyLocal(store),
    remove: (key) => removeMany([key]),
    removeMany,
    list: listLocal(store),
    beginUpload: beginLocal(store),
    putPart: putPartLocal(store),
    parts: partsLocal(store),
    completeUpload: completeLocal(store),
    abortUpload: abortLocal(store),
    uploads: uploadsLocal(store),
    versions: versionsLocal(store),
    removeVersion: removeVersionLocal(store),
    sweep: sweepLocal(store),
    signPut: signPutLocal(signing),
    signPart: signPartLocal(signing),
    signGet: signGetLocal(signing),
    check: checkLocal(directory),
    close: store.index.close,
  };
};

export const openLocalBlobs = ({
  directory,
  secret,
  url,
  now = Date.now,
}: LocalOptions): Either<BlobFault, BlobStore> => {
  try {
    return right(blobsOf(openStore(directory, now), directory, { secret, url, now }));
  } catch (error) {
    return left(diskFault(error));
  }
};
