/** Loads a snapshot into a scene, piece by piece. Fetches a few pieces ahead, and yields to the event loop within each. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { NodeId } from '../../../../domain/editor/ids';
import type { StoredClientTable } from '../../../../domain/editor/operation-log/client-table-codec';
import { type IdRun, parseRun } from '../../../../domain/editor/operation-log/custom-ids';
import type { Scene } from '../../../../domain/editor/scene/scene';
import {
  type Manifest,
  type PieceRef,
  parseClientTable,
  piecesNewestFirst,
} from '../../../../domain/editor/snapshot/manifest';
import { addPiece, type Piece, parsePiece, startFill } from '../../../../domain/editor/snapshot/piece';
import { chunksContaining } from '../../../../domain/editor/snapshot/piece-lookup';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import { damaged, type SnapshotFault } from '../piece-blobs';
import { loadManifest, type PieceStore } from '../piece-store';
import { createYield } from '../time-slicing';

type ReadResult<Value> = Promise<Either<SnapshotFault, Value>>;

const maxParallelReads = 3;

/** About a millisecond of work. */
const nodesPerStep = 200;

function* splitPiece({ nodes, removed }: Piece): Generator<Piece> {
  for (let start = 0; start < nodes.length; start += nodesPerStep)
    yield { nodes: nodes.slice(start, start + nodesPerStep), removed: [] };
  yield { nodes: [], removed };
}

/** Calls back for each part of each piece. */
export const forEachPiece = async (
  pieces: PieceStore,
  refs: readonly PieceRef[],
  take: (part: Piece) => void,
): ReadResult<void> => {
  const pending = refs.slice(0, maxParallelReads).map(pieces.get);
  const yieldIfDue = createYield();
  for (let index = 0; index < refs.length; index += 1) {
    const text = await (pending.shift() as (typeof pending)[number]);
    const next = refs[index + maxParallelReads];
    if (next !== undefined) pending.push(pieces.get(next));
    if (isLeft(text)) return text;
    await yieldIfDue();
    const piece = parsePiece(text.right);
    if (isLeft(piece)) return damaged(piece.left);
    for (const part of splitPiece(piece.right)) {
      await yieldIfDue();
      take(part);
    }
  }
  return right(undefined);
};

const loadRuns = async (pieces: PieceStore, { idRuns = [] }: Manifest): ReadResult<readonly IdRun[]> => {
  const runs: IdRun[] = [];
  const yieldIfDue = createYield();
  for (const { piece } of idRuns) {
    const text = await pieces.get(piece);
    if (isLeft(text)) return text;
    await yieldIfDue();
    const run = parseRun(text.right);
    if (run === undefined) return damaged('A piece of the snapshot is not a run of ids.');
    runs.push(run);
  }
  return right(runs);
};

export const loadSnapshot = async (
  pieces: PieceStore,
  snapshot: Snapshot,
  into: Scene,
): ReadResult<StoredClientTable> => {
  const manifest = await loadManifest(pieces, snapshot);
  if (isLeft(manifest)) return manifest;
  const target = startFill(into);
  const filled = await forEachPiece(pieces, piecesNewestFirst(manifest.right), (piece) => addPiece(target, piece));
  if (isLeft(filled)) return filled;
  const table = await pieces.get(manifest.right.clients);
  if (isLeft(table)) return table;
  const clients = parseClientTable(table.right);
  if (isLeft(clients)) return damaged(clients.left);
  const idRuns = await loadRuns(pieces, manifest.right);
  return isLeft(idRuns) ? idRuns : right({ ...clients.right, idRuns: idRuns.right });
};

export interface NodeSelection {
  readonly manifest: Manifest;
  readonly ids: ReadonlySet<NodeId>;
}

/** Loads only these nodes: reads the pieces that may contain them. */
export const loadNodes = async (
  pieces: PieceStore,
  { manifest, ids }: NodeSelection,
  into: Scene,
): ReadResult<void> => {
  const target = startFill(into);
  const take = ({ nodes, removed }: Piece): void =>
    addPiece(target, { nodes: nodes.filter(({ id }) => ids.has(id)), removed });
  const newer = await forEachPiece(pieces, manifest.deltas.toReversed(), take);
  if (isLeft(newer)) return newer;
  const untold = [...ids].filter((id) => !target.seen.has(id));
  return forEachPiece(pieces, chunksContaining(manifest, untold), take);
};
