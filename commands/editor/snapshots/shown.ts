/** Snapshots as clients get them: where each piece can be had for a while, and what is small as it is. Made once for all who ask. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Manifest, piecesOf } from '../../../domain/editor/snapshot/manifest';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import type { Blobs } from '../../../infra/ports/blobs';
import type { SnapshotFault } from '../owner/needs';
import { readSnapshot } from './loading';
import { openPieces, type Pieces, type Stored } from './pieces';
import { bytesIn } from './stored-bytes';

/** One of the two: the stored bytes, or a URL that gives them. */
export interface ShownPiece {
  readonly key: string;
  readonly url?: string;
  readonly base64?: string;
}

export interface ShownSnapshots {
  /** The manifest, then its pieces, the newest first; not the table of clients. */
  readonly of: (tenant: TenantId, snapshot: Snapshot) => Promise<Either<SnapshotFault, readonly ShownPiece[]>>;
}

type Shown = Either<SnapshotFault, readonly ShownPiece[]>;

const signedSeconds = 3_600;
/** Whoever gets one has that much of the hour left at least. */
const keptMilliseconds = 1_800_000;
const mostKept = 500;
/** Of all pieces together. */
const smallBytes = 65_536;

const signed = async (blobs: Blobs, key: string): Promise<Either<SnapshotFault, ShownPiece>> => {
  const url = await blobs.signGet({ key, seconds: signedSeconds });
  if (!isLeft(url)) return right({ key, url: url.right.url });
  return left(fault('snapshots-unavailable', 'A snapshot cannot be shown right now.'));
};

const inline = async (
  pieces: Pieces,
  piece: Pick<Stored, 'key' | 'checksum'>,
): Promise<Either<SnapshotFault, ShownPiece>> => {
  const bytes = await pieces.bytes(piece);
  return isLeft(bytes) ? bytes : right({ key: piece.key, base64: Buffer.from(bytes.right).toString('base64') });
};

const show = async (blobs: Blobs, tenant: TenantId, snapshot: Snapshot): Promise<Shown> => {
  const pieces = openPieces(bytesIn(blobs), tenant);
  const manifest: Either<SnapshotFault, Manifest> = await readSnapshot(pieces, snapshot);
  if (isLeft(manifest)) return manifest;
  const refs = piecesOf(manifest.right);
  const isSmall = refs.reduce((sum, { bytes }) => sum + bytes, 0) <= smallBytes;
  const own = { key: snapshot.compressedSceneKey, checksum: snapshot.checksum };
  const shown: ShownPiece[] = [];
  for (const ref of [own, ...refs]) {
    const one = isSmall ? await inline(pieces, ref) : await signed(blobs, ref.key);
    if (isLeft(one)) return one;
    shown.push(one.right);
  }
  return right(shown);
};

interface Kept {
  readonly shown: Promise<Shown>;
  readonly until: number;
}

export const openShown = (blobs: Blobs, now: () => number = () => performance.now()): ShownSnapshots => {
  const kept = new Map<string, Kept>();
  const keep = (key: string, shown: Promise<Shown>): Promise<Shown> => {
    kept.delete(key);
    kept.set(key, { shown, until: now() + keptMilliseconds });
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return shown;
  };
  return {
    of: async (tenant, snapshot) => {
      const key = `${tenant} ${snapshot.compressedSceneKey}`;
      const known = kept.get(key);
      const shown = await (known !== undefined && known.until > now()
        ? known.shown
        : keep(key, show(blobs, tenant, snapshot)));
      if (isLeft(shown)) kept.delete(key);
      return shown;
    },
  };
};
