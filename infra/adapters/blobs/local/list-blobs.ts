import { left, right } from 'fp-ts/Either';
import type { BlobEntry, BlobStore } from '../../../ports/blob-store';
import { maxPageSize, prefixRefusal } from '../limits';
import { infoOf, type LocalStore } from './content';
import { keyOf } from './lmdb-index';

/** The first key after that one. */
const following = (key: string): Buffer => Buffer.concat([keyOf(key), Buffer.alloc(1)]);

const laterOf = (one: Buffer, other: Buffer | undefined): Buffer =>
  other !== undefined && Buffer.compare(other, one) > 0 ? other : one;

export const listLocal =
  ({ index }: LocalStore): BlobStore['list'] =>
  async ({ prefix, after, limit = maxPageSize }) => {
    const refused = prefixRefusal(prefix);
    if (refused !== undefined) return left(refused);
    const most = Math.max(1, Math.min(limit, maxPageSize));
    const begin = keyOf(prefix);
    const start = laterOf(begin, after === undefined ? undefined : following(after));
    const blobs: BlobEntry[] = [];
    for (const { key, value } of index.tables.entries.getRange({ start, limit: most + 1 })) {
      if (!key.subarray(0, begin.length).equals(begin)) break;
      const { size, etag, storedAt } = infoOf(key.toString('utf8'), value);
      blobs.push({ key: key.toString('utf8'), size, etag, storedAt });
    }
    const page = blobs.slice(0, most);
    return right({ blobs: page, next: blobs.length > most ? (page.at(-1)?.key ?? null) : null });
  };
