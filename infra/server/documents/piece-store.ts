/** Pieces of snapshots: compressed, stored under the checksum of their bytes, and verified when they are read. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type Manifest, type PieceRef, parseManifest } from '../../../domain/editor/snapshot/manifest';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import type { TenantId } from '../../../domain/kernel/ids';
import type { TemporaryKey } from '../../ports/blob-store';
import { damaged, type PieceBlob, type PieceBlobs, type SnapshotFault } from './piece-blobs';

export interface StoredPiece extends Pick<PieceRef, 'key' | 'checksum' | 'bytes'> {}
type PieceName = Pick<StoredPiece, 'key' | 'checksum'>;

export interface PieceStore {
  readonly put: (text: string) => Promise<Either<SnapshotFault, StoredPiece>>;
  /** Deleted after a day: for versions that are only viewed. No event may refer to it. */
  readonly putTemporary: PieceStore['put'];
  readonly get: (piece: PieceName) => Promise<Either<SnapshotFault, string>>;
  /** The stored, compressed bytes; verified. */
  readonly bytes: (piece: PieceName) => Promise<Either<SnapshotFault, Uint8Array>>;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);
/** Higher levels take twice the time for a few percent less. */
const level = 5;
/** Uncompressed; far above the size of any piece. */
const largestPiece = 268_435_456;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const unpacked = async (bytes: Uint8Array): Promise<Either<SnapshotFault, string>> => {
  try {
    return right((await decompress(bytes, { maxOutputLength: largestPiece })).toString('utf8'));
  } catch {
    return damaged('A piece of the snapshot cannot be unpacked.');
  }
};

/** The key contains the checksum of the bytes. */
export const packPiece = async (tenant: TenantId, text: string): Promise<PieceBlob> => {
  const bytes = await compress(text, { level });
  const checksum = sha256(bytes);
  return { key: `editor/${tenant}/${checksum}.json.gz`, checksum, bytes };
};

/** For one tenant: content that its documents share is stored once. */
export const openPieceStore = (blobs: PieceBlobs, tenant: TenantId): PieceStore => {
  const bytesOf: PieceStore['bytes'] = async ({ key, checksum }) => {
    const bytes = await blobs.get(key);
    if (isLeft(bytes) || sha256(bytes.right) === checksum) return bytes;
    return damaged('A piece of the snapshot is not what was stored.');
  };
  const putAs = async (text: string, keyOf: (name: string) => string): Promise<Either<SnapshotFault, StoredPiece>> => {
    const { key: name, checksum, bytes } = await packPiece(tenant, text);
    const key = keyOf(name);
    const put = await blobs.put({ key, checksum, bytes });
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

export const loadManifest = async (
  pieces: Pick<PieceStore, 'get'>,
  { compressedSceneKey: key, checksum }: Pick<Snapshot, 'compressedSceneKey' | 'checksum'>,
): Promise<Either<SnapshotFault, Manifest>> => {
  const text = await pieces.get({ key, checksum });
  if (isLeft(text)) return text;
  const manifest = parseManifest(text.right);
  return isLeft(manifest) ? damaged(manifest.left) : manifest;
};
