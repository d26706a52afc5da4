/** Content-addressed pieces of snapshots in object storage. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import type { BlobStore, TemporaryKey } from '../../ports/blob-store';

/** `snapshot-damaged` is permanent: the bytes do not match their checksum. `snapshots-unavailable` is temporary. */
export type SnapshotFault = Fault<'snapshots-unavailable' | 'snapshot-damaged'>;

export interface PieceBlob {
  readonly key: string;
  /** SHA-256, in hexadecimal. */
  readonly checksum: string;
  readonly bytes: Uint8Array;
}

export interface PieceBlobs {
  readonly put: (blob: PieceBlob) => Promise<Either<SnapshotFault, void>>;
  readonly get: (key: string) => Promise<Either<SnapshotFault, Uint8Array>>;
}

/** Temporary objects are deleted after a day; storing one again extends its life. */
const isTemporary = (key: string): key is TemporaryKey => key.startsWith('temporary/');

const contentType = 'application/gzip';

const unavailable = (detail: string): Either<SnapshotFault, never> => left(fault('snapshots-unavailable', detail));
export const damaged = (detail: string): Either<SnapshotFault, never> => left(fault('snapshot-damaged', detail));

const readFailure = (code: string): Either<SnapshotFault, never> => {
  if (code === 'blob-unknown') return damaged('A piece of the snapshot is missing.');
  if (code === 'blob-damaged') return damaged('A piece of the snapshot is not what was stored.');
  return unavailable('A piece of the snapshot cannot be read right now.');
};

const collect = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

export const pieceBlobs = (blobs: BlobStore): PieceBlobs => ({
  put: async ({ key, checksum: sha256, bytes: body }) => {
    const request = { key, body, size: body.length, sha256, contentType } as const;
    const stored = await blobs.put(isTemporary(key) ? request : { ...request, expected: 'absent' });
    // A blob with that key exists and has the same bytes, because the key contains their checksum.
    if (!isLeft(stored) || stored.left.code === 'blob-differs') return right(undefined);
    return unavailable('A snapshot cannot be stored right now.');
  },
  get: async (key) => {
    const content = await blobs.get({ key });
    if (isLeft(content)) return readFailure(content.left.code);
    try {
      return right(await collect(content.right.body));
    } catch (error) {
      return readFailure(error instanceof Error && 'code' in error ? String(error.code) : '');
    }
  },
});
