/** Reference-counted contents: received from bodies, shared by keys. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Rejection } from '../../../../domain/kernel/rejection';
import type { BlobFault, BlobInfo } from '../../../ports/blob-store';
import { BodyDiffers, diskFault } from '../blob-faults';
import { type ExpectedBody, verifyBody } from '../body-verification';
import type { ContentFiles } from './content-files';
import { type BlobIndex, type Content, type Entry, keyOf, type Segment, type Tables } from './lmdb-index';

export interface LocalStore {
  readonly index: BlobIndex;
  readonly files: ContentFiles;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A content that nothing refers to yet. */
export interface ReceivedBody {
  readonly bytes?: Buffer;
  readonly segments: readonly Segment[];
  readonly sha256: string;
}

export type ReceiveFailure = Rejection<'blob-size-differs' | 'blob-checksum-differs'> | BlobFault;

/** Up to here one commit of the index costs less than a file of its own. */
const maxIndexedBytes = 16 * 1024;

const refusalOf = (error: unknown): ReceiveFailure => (error instanceof BodyDiffers ? error.refused : diskFault(error));

const gathered = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
};

/** Failures of the sender and of the store are returned, not thrown. */
export const receiveFile = async (
  { files }: LocalStore,
  announced: ExpectedBody,
): Promise<Either<ReceiveFailure, { readonly file: string; readonly sha256: string }>> => {
  const file = files.newName();
  const { chunks, sha256 } = verifyBody(announced);
  try {
    await files.write(file, chunks);
    return right({ file, sha256: sha256() });
  } catch (error) {
    return left(refusalOf(error));
  }
};

export const receive = async (
  store: LocalStore,
  announced: ExpectedBody,
): Promise<Either<ReceiveFailure, ReceivedBody>> => {
  if (announced.size > maxIndexedBytes) {
    const written = await receiveFile(store, announced);
    if (written._tag === 'Left') return written;
    const { file, sha256 } = written.right;
    return right({ segments: [[file, announced.size]], sha256 });
  }
  const { chunks, sha256 } = verifyBody(announced);
  try {
    const bytes = await gathered(chunks);
    return right({ bytes, segments: [], sha256: sha256() });
  } catch (error) {
    return left(refusalOf(error));
  }
};

export const addContent = ({ contents, files }: Tables, id: string, { bytes, segments }: ReceivedBody): void => {
  for (const [file] of segments) files.putSync(keyOf(file), true);
  contents.putSync(keyOf(id), bytes === undefined ? { references: 1, segments } : { references: 1, bytes });
};

const filesOf = (content: Content): readonly string[] =>
  'segments' in content ? content.segments.map(([file]) => file) : [];

/** A backup is copying files that the index no longer names: what becomes useless stays for the next sweep. */
export const isBackupRunning = ({ pins }: Tables): boolean =>
  [...pins.getRange({})].some(({ value }) => value > Date.now());

/** Within a transaction: marks files as unused. Returns the files to remove. */
export const forget = (tables: Tables, names: readonly string[]): readonly string[] => {
  for (const name of names) tables.files.removeSync(keyOf(name));
  return isBackupRunning(tables) ? [] : names;
};

/** Within a transaction: one reference less; answers the files that nothing uses any more. */
const release = (tables: Tables, id: string): readonly string[] => {
  const { contents } = tables;
  const content = contents.get(keyOf(id));
  if (content === undefined) return [];
  if (content.references > 1) {
    contents.putSync(keyOf(id), { ...content, references: content.references - 1 });
    return [];
  }
  contents.removeSync(keyOf(id));
  return forget(tables, filesOf(content));
};

/** Within a transaction; answers the files that nothing uses any more. */
export const removeEntry = (tables: Tables, key: string): readonly string[] => {
  const entry = tables.entries.get(keyOf(key));
  if (entry === undefined) return [];
  tables.entries.removeSync(keyOf(key));
  return release(tables, entry.content);
};

/** Within a transaction, with the content that it refers to in place; answers the files that nothing uses any more. */
export const putEntry = (tables: Tables, key: string, entry: Entry): readonly string[] => {
  const unused = removeEntry(tables, key);
  tables.entries.putSync(keyOf(key), entry);
  return unused;
};

/** Files that an answer made useless, or that nothing came to use: one left behind is found by the next sweep. */
export const removeFiles = async ({ files, index }: LocalStore, names: readonly string[]): Promise<void> => {
  const unused = names.filter((name) => index.tables.files.get(keyOf(name)) === undefined);
  await files.remove(unused).catch(() => undefined);
};

export const infoOf = (key: string, { size, etag, sha256, contentType, storedAt }: Entry): BlobInfo => ({
  key,
  size,
  etag,
  sha256,
  contentType,
  storedAt: new Date(storedAt).toISOString() as Instant,
});
