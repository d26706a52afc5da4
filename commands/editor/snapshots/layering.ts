/** The layers of a snapshot and what goes into them: a delta more, one delta of all, or all of it into the base. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { NodeId } from '../../../domain/editor/ids';
import {
  type Changes,
  changedChunk,
  changesByChunk,
  compactionOf,
  deltaParts,
  type Row,
} from '../../../domain/editor/snapshot/layers';
import type { Chunk, Manifest, PieceRef } from '../../../domain/editor/snapshot/manifest';
import { nodeText, pieceText, readPiece } from '../../../domain/editor/snapshot/piece';
import { damaged, type SnapshotFault } from '../../../infra/documents/piece-blobs';
import type { PieceStore } from '../../../infra/documents/piece-store';

export type Layers = Pick<Manifest, 'base' | 'deltas'>;
export type Made<Value> = Promise<Either<SnapshotFault, Value>>;

export interface Changed {
  readonly changed: readonly Row[];
  readonly removed: readonly NodeId[];
}

interface Rows {
  readonly rows: readonly Row[];
  readonly removed: readonly NodeId[];
}

const rowsOf = async (pieces: PieceStore, piece: PieceRef): Made<Rows> => {
  const text = await pieces.get(piece);
  if (isLeft(text)) return text;
  const read = readPiece(text.right);
  if (isLeft(read)) return damaged(read.left);
  const { nodes, removed } = read.right;
  return right({ rows: nodes.map((node): Row => [node.id, nodeText(node)]), removed });
};

/** What a node refers to is told from its text: most have nothing of the kind. */
const assetIn = (text: string): readonly string[] => {
  if (!text.includes('"contentRef"')) return [];
  const { properties } = JSON.parse(text) as { readonly properties: { readonly contentRef?: unknown } };
  const { contentRef } = properties;
  return typeof contentRef === 'string' && contentRef.length > 0 && contentRef.length <= 512 ? [contentRef] : [];
};

const putPiece = async (pieces: PieceStore, rows: readonly Row[], removed: readonly NodeId[]): Made<PieceRef> => {
  const texts = rows.map(([, text]) => text);
  const stored = await pieces.put(pieceText(texts, removed));
  if (isLeft(stored)) return stored;
  const assets = [...new Set(texts.flatMap(assetIn))];
  return right({ ...stored.right, nodes: rows.length + removed.length, assets });
};

const changesOf = ({ changed, removed }: Changed): Changes =>
  new Map<NodeId, string | null>([...removed.map((id) => [id, null] as const), ...changed]);

/** Everything that the deltas tell, and what is new: the newest word on each node. */
const allChanges = async (pieces: PieceStore, { deltas }: Layers, its: Changed): Made<Changes> => {
  const changes = new Map<NodeId, string | null>();
  for (const delta of deltas) {
    const told = await rowsOf(pieces, delta);
    if (isLeft(told)) return told;
    for (const id of told.right.removed) changes.set(id, null);
    for (const [id, text] of told.right.rows) changes.set(id, text);
  }
  for (const [id, text] of changesOf(its)) changes.set(id, text);
  return right(changes);
};

/** No node is told of in two of its pieces: their order is of no matter. */
const putDelta = async (pieces: PieceStore, changes: Changes): Made<readonly PieceRef[]> => {
  const delta: PieceRef[] = [];
  for (const part of deltaParts([...changes])) {
    const rows = part.filter((entry): entry is [NodeId, string] => entry[1] !== null);
    const removed = part.flatMap(([id, text]) => (text === null ? [id] : []));
    const piece = await putPiece(pieces, rows, removed);
    if (isLeft(piece)) return piece;
    delta.push(piece.right);
  }
  return right(delta);
};

const oneDelta = async (pieces: PieceStore, { base }: Layers, changes: Changes): Made<Layers> => {
  const delta = await putDelta(pieces, changes);
  return isLeft(delta) ? delta : right({ base, deltas: [...delta.right] });
};

const rewritten = async (pieces: PieceStore, chunk: Chunk | undefined, changes: Changes): Made<readonly Chunk[]> => {
  const before = chunk === undefined ? right({ rows: [] }) : await rowsOf(pieces, chunk.piece);
  if (isLeft(before)) return before;
  const chunks: Chunk[] = [];
  for (const rows of changedChunk(before.right.rows, changes)) {
    const piece = await putPiece(pieces, rows, []);
    if (isLeft(piece)) return piece;
    chunks.push({ first: (rows[0] as Row)[0], piece: piece.right });
  }
  return right(chunks);
};

/** Chunks that nothing changed in stay what they are. */
const intoBase = async (pieces: PieceStore, { base }: Layers, changes: Changes): Made<Layers> => {
  const byChunk = changesByChunk(base, changes);
  const after: Chunk[] = [];
  for (let index = 0; index < Math.max(1, base.length); index += 1) {
    const its = byChunk.get(index);
    const chunk = base[index];
    const chunks = its === undefined ? right(chunk === undefined ? [] : [chunk]) : await rewritten(pieces, chunk, its);
    if (isLeft(chunks)) return chunks;
    after.push(...chunks.right);
  }
  return right({ base: after, deltas: [] });
};

/** Nothing is gathered: of versions that somebody only looks at. */
export const withDelta = async (pieces: PieceStore, { base, deltas }: Layers, its: Changed): Made<Layers> => {
  const delta = await putDelta(pieces, changesOf(its));
  return isLeft(delta) ? delta : right({ base, deltas: [...deltas, ...delta.right] });
};

/** As the next snapshot goes on from them. */
export const layersAfter = async (pieces: PieceStore, layers: Layers, its: Changed): Made<Layers> => {
  const incoming = its.changed.length + its.removed.length;
  const compaction = incoming === 0 ? 'none' : compactionOf(layers, incoming);
  if (compaction === 'none') return withDelta(pieces, layers, its);
  const changes = await allChanges(pieces, layers, its);
  if (isLeft(changes)) return changes;
  return (compaction === 'deltas' ? oneDelta : intoBase)(pieces, layers, changes.right);
};
