/** Object storage as snapshots use it: whole pieces under names that say what is in them. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { Blobs, TemporaryKey } from '../../../infra/ports/blobs';
import type { SnapshotFault } from '../owner/needs';

export interface NamedBytes {
  readonly key: string;
  /** SHA-256, in hexadecimal. */
  readonly checksum: string;
  readonly bytes: Uint8Array;
}

export interface StoredBytes {
  readonly put: (named: NamedBytes) => Promise<Either<SnapshotFault, void>>;
  readonly get: (key: string) => Promise<Either<SnapshotFault, Uint8Array>>;
}

/** Stored again, its day begins again. */
const isTemporary = (key: string): key is TemporaryKey => key.startsWith('temporary/');

const contentType = 'application/gzip';

const away = (detail: string): Either<SnapshotFault, never> => left(fault('snapshots-unavailable', detail));
const damaged = (detail: string): Either<SnapshotFault, never> => left(fault('snapshot-damaged', detail));

const unread = (code: string): Either<SnapshotFault, never> => {
  if (code === 'blob-unknown') return damaged('A piece of the snapshot is not there any more.');
  if (code === 'blob-damaged') return damaged('A piece of the snapshot is not what was stored.');
  return away('A piece of the snapshot cannot be read right now.');
};

const collected = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

export const bytesIn = (blobs: Blobs): StoredBytes => ({
  put: async ({ key, checksum: sha256, bytes: body }) => {
    const request = { key, body, size: body.length, sha256, contentType } as const;
    const stored = await blobs.put(isTemporary(key) ? request : { ...request, expected: 'absent' });
    // Or it is there: the same bytes have the same name.
    if (!isLeft(stored) || stored.left.code === 'blob-differs') return right(undefined);
    return away('A snapshot cannot be stored right now.');
  },
  get: async (key) => {
    const content = await blobs.get({ key });
    if (isLeft(content)) return unread(content.left.code);
    try {
      return right(await collected(content.right.body));
    } catch (error) {
      return unread(error instanceof Error && 'code' in error ? String(error.code) : '');
    }
  },
});
