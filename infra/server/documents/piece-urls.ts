/** How clients load the pieces of a snapshot: by signed URLs, or inline if all of them are small. Cached per snapshot. */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { piecesNewestFirst } from '../../../domain/editor/snapshot/manifest';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import type { BlobStore } from '../../ports/blob-store';
import { pieceBlobs, type SnapshotFault } from './piece-blobs';
import { loadManifest, openPieceStore, type PieceStore, type StoredPiece } from './piece-store';

/** Either the stored bytes, or their URL. */
export interface PieceSource {
  readonly key: string;
  readonly url?: string;
  readonly base64?: string;
}

type PieceSources = Either<SnapshotFault, readonly PieceSource[]>;

export interface PieceUrls {
  /** The manifest, then its pieces, the newest first; not the table of clients. */
  readonly of: (tenant: TenantId, snapshot: Snapshot) => Promise<PieceSources>;
}

const signedSeconds = 3_600;
/** A URL from the cache is valid for half an hour at least. */
const cachedMilliseconds = 1_800_000;
const mostCached = 500;
/** Of all pieces together. */
const smallBytes = 65_536;

const signed = async (blobs: BlobStore, key: string): Promise<Either<SnapshotFault, PieceSource>> => {
  const url = await blobs.signGet({ key, seconds: signedSeconds });
  if (!isLeft(url)) return right({ key, url: url.right.url });
  return left(fault('snapshots-unavailable', 'A snapshot cannot be served right now.'));
};

const inline = async (
  pieces: PieceStore,
  piece: Pick<StoredPiece, 'key' | 'checksum'>,
): Promise<Either<SnapshotFault, PieceSource>> => {
  const bytes = await pieces.bytes(piece);
  return isLeft(bytes) ? bytes : right({ key: piece.key, base64: Buffer.from(bytes.right).toString('base64') });
};

const sourcesOf = async (blobs: BlobStore, tenant: TenantId, snapshot: Snapshot): Promise<PieceSources> => {
  const pieces = openPieceStore(pieceBlobs(blobs), tenant);
  const manifest = await loadManifest(pieces, snapshot);
  if (isLeft(manifest)) return manifest;
  const refs = piecesNewestFirst(manifest.right);
  const isSmall = refs.reduce((sum, { bytes }) => sum + bytes, 0) <= smallBytes;
  const own = { key: snapshot.compressedSceneKey, checksum: snapshot.checksum };
  const sources: PieceSource[] = [];
  for (const ref of [own, ...refs]) {
    const source = isSmall ? await inline(pieces, ref) : await signed(blobs, ref.key);
    if (isLeft(source)) return source;
    sources.push(source.right);
  }
  return right(sources);
};

interface CacheEntry {
  readonly sources: Promise<PieceSources>;
  readonly until: number;
}

export const openPieceUrls = (blobs: BlobStore, now: () => number = () => performance.now()): PieceUrls => {
  const cache = new LRUCache<string, CacheEntry>({ max: mostCached });
  const add = (key: string, sources: Promise<PieceSources>): Promise<PieceSources> => {
    cache.set(key, { sources, until: now() + cachedMilliseconds });
    return sources;
  };
  return {
    of: async (tenant, snapshot) => {
      const key = `${tenant} ${snapshot.compressedSceneKey}`;
      const known = cache.get(key);
      const sources = await (known !== undefined && known.until > now()
        ? known.sources
        : add(key, sourcesOf(blobs, tenant, snapshot)));
      if (isLeft(sources)) cache.delete(key);
      return sources;
    },
  };
};
