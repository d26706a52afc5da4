/** A snapshot into a scene, piece by piece: a few are fetched ahead, and the thread is held for a part of one at a time. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { NodeId } from '../../../domain/editor/ids';
import { type IdRun, runOfText } from '../../../domain/editor/log/chosen-ids';
import type { StoredClients } from '../../../domain/editor/log/clients-record';
import type { Scene } from '../../../domain/editor/scene/scene';
import { fill, filling } from '../../../domain/editor/snapshot/fill';
import {
  type Manifest,
  type PieceRef,
  piecesOf,
  readClients,
  readManifest,
} from '../../../domain/editor/snapshot/manifest';
import { chunksAbout } from '../../../domain/editor/snapshot/part';
import { type Piece, readPiece } from '../../../domain/editor/snapshot/piece';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { damaged, type SnapshotFault } from '../../../infra/documents/piece-blobs';
import type { PieceStore } from '../../../infra/documents/piece-store';
import { breathing } from '../owner/breath';

type Loaded<Value> = Promise<Either<SnapshotFault, Value>>;

const ahead = 3;

export const readSnapshot = async (
  pieces: PieceStore,
  { compressedSceneKey: key, checksum }: Pick<Snapshot, 'compressedSceneKey' | 'checksum'>,
): Loaded<Manifest> => {
  const text = await pieces.get({ key, checksum });
  if (isLeft(text)) return text;
  const manifest = readManifest(text.right);
  return isLeft(manifest) ? damaged(manifest.left) : manifest;
};

/** What takes a millisecond. */
const partNodes = 200;

function* partsOf({ nodes, removed }: Piece): Generator<Piece> {
  for (let start = 0; start < nodes.length; start += partNodes)
    yield { nodes: nodes.slice(start, start + partNodes), removed: [] };
  yield { nodes: [], removed };
}

/** Once for each part. */
export const eachPiece = async (
  pieces: PieceStore,
  refs: readonly PieceRef[],
  take: (part: Piece) => void,
): Loaded<void> => {
  const coming = refs.slice(0, ahead).map(pieces.get);
  const breathe = breathing();
  for (let index = 0; index < refs.length; index += 1) {
    const text = await (coming.shift() as (typeof coming)[number]);
    const next = refs[index + ahead];
    if (next !== undefined) coming.push(pieces.get(next));
    if (isLeft(text)) return text;
    await breathe();
    const piece = readPiece(text.right);
    if (isLeft(piece)) return damaged(piece.left);
    for (const part of partsOf(piece.right)) {
      await breathe();
      take(part);
    }
  }
  return right(undefined);
};

const loadRuns = async (pieces: PieceStore, { idRuns = [] }: Manifest): Loaded<readonly IdRun[]> => {
  const runs: IdRun[] = [];
  const breathe = breathing();
  for (const { piece } of idRuns) {
    const text = await pieces.get(piece);
    if (isLeft(text)) return text;
    await breathe();
    const run = runOfText(text.right);
    if (run === undefined) return damaged('A piece of the snapshot is no run of ids.');
    runs.push(run);
  }
  return right(runs);
};

export const loadSnapshot = async (pieces: PieceStore, snapshot: Snapshot, into: Scene): Loaded<StoredClients> => {
  const manifest = await readSnapshot(pieces, snapshot);
  if (isLeft(manifest)) return manifest;
  const target = filling(into);
  const filled = await eachPiece(pieces, piecesOf(manifest.right), (piece) => fill(target, piece));
  if (isLeft(filled)) return filled;
  const table = await pieces.get(manifest.right.clients);
  if (isLeft(table)) return table;
  const clients = readClients(table.right);
  if (isLeft(clients)) return damaged(clients.left);
  const idRuns = await loadRuns(pieces, manifest.right);
  return isLeft(idRuns) ? idRuns : right({ ...clients.right, idRuns: idRuns.right });
};

export interface Part {
  readonly manifest: Manifest;
  readonly ids: ReadonlySet<NodeId>;
}

/** These nodes and no others: only pieces are read that may tell of them. */
export const loadPart = async (pieces: PieceStore, { manifest, ids }: Part, into: Scene): Loaded<void> => {
  const target = filling(into);
  const take = ({ nodes, removed }: Piece): void =>
    fill(target, { nodes: nodes.filter(({ id }) => ids.has(id)), removed });
  const newer = await eachPiece(pieces, manifest.deltas.toReversed(), take);
  if (isLeft(newer)) return newer;
  const untold = [...ids].filter((id) => !target.told.has(id));
  return eachPiece(pieces, chunksAbout(manifest, untold), take);
};
