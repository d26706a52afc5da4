/** What is stored in a directory of blobs, in LMDB: conditions hold between processes, and keys come in order. */
import { realpathSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import { type Database, open, type RootDatabase } from 'lmdb';
import {
  commitUnderLock,
  type EnvironmentLock,
  openWithEnvironmentLock,
} from '../../../../packages/data-directory/src/environment-lock';
import type { BlobFault } from '../../../ports/blob-store';
import { diskFault, storeFull } from '../blob-faults';

/** The name of a file and how many bytes of the blob it holds. */
export type Segment = readonly [file: string, bytes: number];

/** Content, shared by any number of keys. Small content is stored in the index. */
export type Content = { readonly references: number } & (
  | { readonly bytes: Buffer }
  | { readonly segments: readonly Segment[] }
);

export interface Entry {
  readonly content: string;
  readonly size: number;
  readonly etag: string;
  readonly sha256: string | null;
  readonly contentType: string;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

export interface PendingUpload {
  readonly key: string;
  readonly contentType: string;
  readonly begunAt: number;
}

export interface Part {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Tables {
  readonly root: RootDatabase<unknown, Buffer>;
  /** key -> entry */
  readonly entries: Database<Entry, Buffer>;
  /** id -> content */
  readonly contents: Database<Content, Buffer>;
  /** id of an upload -> what it is for */
  readonly uploads: Database<PendingUpload, Buffer>;
  /** id of an upload, number of a part -> part */
  readonly parts: Database<Part, Buffer>;
  /** name of a file that a content or a part uses */
  readonly files: Database<true, Buffer>;
  /** id of a running backup -> its expiry, in milliseconds since 1970 */
  readonly pins: Database<number, Buffer>;
}

export interface BlobIndex {
  readonly tables: Tables;
  /** Atomic; on disk when it resolves. Concurrent writes run one after another, across processes. */
  readonly write: <Result>(body: () => Result) => Promise<Either<BlobFault, Result>>;
  readonly close: () => Promise<void>;
}

export const keyOf = (text: string): Buffer => Buffer.from(text, 'utf8');

export const partKey = (uploadId: string, part: number): Buffer => {
  const key = Buffer.alloc(uploadId.length + 2, uploadId, 'latin1');
  key.writeUInt16BE(part, uploadId.length);
  return key;
};
export const partOf = (key: Buffer): number => key.readUInt16BE(key.length - 2);

const openTables = (path: string): Tables => {
  // As in the event store's node: promises resolve once on disk, and each has a caller that can catch its rejection.
  const settings = { keyEncoding: 'binary', overlappingSync: false, eventTurnBatching: false, maxDbs: 8 } as const;
  const root = open<unknown, Buffer>({ path, ...settings });
  const table = <Value>(name: string) => root.openDB<Value, Buffer>({ name, keyEncoding: 'binary' });
  return {
    root,
    entries: table('entries'),
    contents: table('contents'),
    uploads: table('uploads'),
    parts: table('parts'),
    files: table('files'),
    pins: table('pins'),
  };
};

/** LMDB's own errors carry its number; anything else thrown is a defect. */
const isFromDisk = (error: unknown): boolean =>
  error instanceof Error && ('commitError' in error || ('code' in error && typeof error.code === 'number'));

/** lmdb rejects twice: the commit, and a promise on the error, which has the cause. */
const causeOf = async (error: unknown): Promise<unknown> => {
  const { commitError } = error as { readonly commitError?: Promise<never> };
  return (await commitError?.catch((reason: unknown) => reason)) ?? error;
};

const minFreeBytes = 1024 * 1024;

/** LMDB reports a short write as a disk failure, so free space is checked. */
const isFull = (directory: string): boolean => {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize < minFreeBytes;
};

const writeTo =
  ({ root }: Tables, lock: EnvironmentLock, directory: string): BlobIndex['write'] =>
  async (body) => {
    try {
      return right(await commitUnderLock(lock, (inside) => root.childTransaction(inside), body));
    } catch (error) {
      const cause = await causeOf(error);
      if (!isFromDisk(error) && !isFromDisk(cause)) throw error;
      return left(isFull(directory) ? storeFull() : diskFault(cause));
    }
  };

// Two environments on one file within a process do not see each other's transactions: LMDB forbids it.
const shared = new Map<string, { readonly index: BlobIndex; holders: number }>();

const openFirst = (path: string) => {
  const [tables, lock] = openWithEnvironmentLock(path, () => openTables(path));
  const close = (): Promise<void> => tables.root.close().finally(lock.close);
  return { index: { tables, write: writeTo(tables, lock, dirname(path)), close }, holders: 0 };
};

/** Throws what LMDB has against the file. */
export const openIndex = (directory: string): BlobIndex => {
  const path = join(realpathSync(directory), 'index.mdb');
  const opened = shared.get(path) ?? openFirst(path);
  shared.set(path, opened);
  opened.holders += 1;
  let open = true;
  return {
    ...opened.index,
    close: async () => {
      if (!open) return;
      open = false;
      opened.holders -= 1;
      if (opened.holders > 0) return;
      shared.delete(path);
      await opened.index.close();
    },
  };
};
