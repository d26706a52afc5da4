/** Whole blobs in, copied and out of a directory. */
import { isLeft, left, right } from 'fp-ts/Either';
import type { BlobStore, PutBlob } from '../../../ports/blob-store';
import { otherBlob, unknownBlob } from '../blob-faults';
import { contentTypeOrDefault, firstRejection, keyRefusal, maxPageSize, sizeRefusal } from '../limits';
import {
  addContent,
  infoOf,
  type LocalStore,
  putEntry,
  type ReceivedBody,
  receive,
  removeEntry,
  removeFiles,
} from './content';
import { type Entry, keyOf, type Tables } from './lmdb-index';

const isExpected = ({ entries }: Tables, { key, expected }: Pick<PutBlob, 'key' | 'expected'>): boolean => {
  if (expected === undefined) return true;
  const found = entries.get(keyOf(key));
  return expected === 'absent' ? found === undefined : found?.etag === expected.etag;
};

const entryOf = (store: LocalStore, { size, contentType }: PutBlob, { sha256 }: ReceivedBody): Entry => ({
  content: store.files.newName(),
  size,
  etag: `"${sha256}"`,
  sha256,
  contentType: contentTypeOrDefault(contentType),
  storedAt: store.now(),
});

/** Undefined when the condition does not hold; else the files that this put made useless. */
const enter = (store: LocalStore, request: PutBlob, received: ReceivedBody) => {
  const { tables } = store.index;
  const entry = entryOf(store, request, received);
  return store.index.write(() => {
    if (!isExpected(tables, request)) return undefined;
    addContent(tables, entry.content, received);
    return { entry, unused: putEntry(tables, request.key, entry) };
  });
};

export const putLocal =
  (store: LocalStore): BlobStore['put'] =>
  async (request) => {
    const { key, size } = request;
    const allowed = firstRejection(keyRefusal(key), sizeRefusal(size));
    if (isLeft(allowed)) return allowed;
    // Checked again in the transaction; checked here to avoid reading the body in vain.
    if (!isExpected(store.index.tables, request)) return left(otherBlob());
    const received = await receive(store, request);
    if (isLeft(received)) return received;
    const entered = await enter(store, request, received.right);
    if (isLeft(entered) || entered.right === undefined) {
      await removeFiles(
        store,
        received.right.segments.map(([file]) => file),
      );
      return isLeft(entered) ? entered : left(otherBlob());
    }
    await removeFiles(store, entered.right.unused);
    return right(infoOf(key, entered.right.entry));
  };

export const headLocal =
  ({ index }: LocalStore): BlobStore['head'] =>
  async (key) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const entry = index.tables.entries.get(keyOf(key));
    return entry === undefined ? left(unknownBlob()) : right(infoOf(key, entry));
  };

/** Within a transaction: two keys for the same bytes. */
const share = (tables: Tables, from: string, at: { readonly to: string; readonly now: number }) => {
  const entry = tables.entries.get(keyOf(from));
  const content = entry === undefined ? undefined : tables.contents.get(keyOf(entry.content));
  if (entry === undefined || content === undefined) return undefined;
  // Counted before the target's own content is released: it may be the same.
  tables.contents.putSync(keyOf(entry.content), { ...content, references: content.references + 1 });
  const copy = { ...entry, storedAt: at.now };
  return { copy, unused: putEntry(tables, at.to, copy) };
};

export const copyLocal =
  (store: LocalStore): BlobStore['copy'] =>
  async (from, to) => {
    const { index, now } = store;
    const refused = keyRefusal(from, to);
    if (refused !== undefined) return left(refused);
    const shared = await index.write(() => share(index.tables, from, { to, now: now() }));
    if (isLeft(shared)) return shared;
    if (shared.right === undefined) return left(unknownBlob());
    await removeFiles(store, shared.right.unused);
    return right(infoOf(to, shared.right.copy));
  };

/** The id of the content: the same bytes that are stored again are another version. */
export const versionsLocal =
  ({ index }: LocalStore): BlobStore['versions'] =>
  async (key) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const entry = index.tables.entries.get(keyOf(key));
    if (entry === undefined) return right([]);
    const { size, storedAt } = infoOf(key, entry);
    return right([{ key, versionId: entry.content, size, storedAt, isCurrent: true }]);
  };

export const removeVersionLocal =
  (store: LocalStore): BlobStore['removeVersion'] =>
  async (key, versionId) => {
    const { tables, write } = store.index;
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const unused = await write(() =>
      tables.entries.get(keyOf(key))?.content === versionId ? removeEntry(tables, key) : [],
    );
    if (isLeft(unused)) return unused;
    await removeFiles(store, unused.right);
    return right(undefined);
  };

const removeAll = async (store: LocalStore, keys: readonly string[]) => {
  const { tables, write } = store.index;
  // In pages, because a transaction blocks all other writers.
  for (let at = 0; at < keys.length; at += maxPageSize) {
    const page = keys.slice(at, at + maxPageSize);
    const unused = await write(() => page.flatMap((key) => removeEntry(tables, key)));
    if (isLeft(unused)) return unused;
    await removeFiles(store, unused.right);
  }
  return right(undefined);
};

export const removeManyLocal =
  (store: LocalStore): BlobStore['removeMany'] =>
  async (keys) => {
    const refused = keyRefusal(...keys);
    return refused === undefined ? removeAll(store, keys) : left(refused);
  };
