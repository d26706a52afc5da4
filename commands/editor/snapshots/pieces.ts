/** Pieces of snapshots in object storage: compressed, under the checksum of what is stored, read back only when that is right. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PieceRef } from '../../../domain/editor/snapshot/manifest';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import type { TemporaryKey } from '../../../infra/ports/blobs';
import type { SnapshotFault } from '../owner/needs';
import type { StoredBytes } from './stored-bytes';

export interface Stored extends Pick<PieceRef, 'key' | 'checksum' | 'bytes'> {}

export interface Pieces {
  readonly put: (text: string) => Promise<Either<SnapshotFault, Stored>>;
  /** For a day: of versions that are only looked at. What is kept for good must not name it. */
  readonly putTemporary: Pieces['put'];
  readonly get: (piece: Pick<Stored, 'key' | 'checksum'>) => Promise<Either<SnapshotFault, string>>;
  /** As it is stored, checked. */
  readonly bytes: (piece: Pick<Stored, 'key' | 'checksum'>) => Promise<Either<SnapshotFault, Uint8Array>>;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);
/** Twice the time for a few percent less is no bargain here. */
const level = 5;
/** Unpacked: far above what a piece is made of. */
const largestPiece = 268_435_456;

export const damaged = (detail: string): Either<SnapshotFault, never> => left(fault('snapshot-damaged', detail));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const unpacked = async (bytes: Uint8Array): Promise<Either<SnapshotFault, string>> => {
  try {
    return right((await decompress(bytes, { maxOutputLength: largestPiece })).toString('utf8'));
  } catch {
    return damaged('A piece of the snapshot cannot be unpacked.');
  }
};

/** Of one tenant: what is the same in two documents of it is stored once. */
export const openPieces = (stored: StoredBytes, tenant: TenantId): Pieces => {
  const bytesOf: Pieces['bytes'] = async ({ key, checksum }) => {
    const bytes = await stored.get(key);
    if (isLeft(bytes) || sha256(bytes.right) === checksum) return bytes;
    return damaged('A piece of the snapshot is not what was stored.');
  };
  const putAs = async (text: string, keyOf: (name: string) => string): Promise<Either<SnapshotFault, Stored>> => {
    const bytes = await compress(text, { level });
    const checksum = sha256(bytes);
    const key = keyOf(`editor/${tenant}/${checksum}.json.gz`);
    const put = await stored.put({ key, checksum, bytes });
    return isLeft(put) ? put : right({ key, checksum, bytes: bytes.length });
  };
  return {
    put: (text) => putAs(text, (name) => name),
    putTemporary: (text) => putAs(text, (name): TemporaryKey => `temporary/${name}`),
    get: async (piece) => {
      const bytes = await bytesOf(piece);
      return isLeft(bytes) ? bytes : unpacked(bytes.right);
    },
    bytes: bytesOf,
  };
};
