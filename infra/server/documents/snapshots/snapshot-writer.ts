/** Makes a snapshot from the previous one and the changes since. Runs in a worker thread, so that the owner's thread stays free. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { DocumentId, NodeId } from '../../../../domain/editor/ids';
import type { StoredClientTable } from '../../../../domain/editor/operation-log/client-table-codec';
import { type IdRun, serializeRun } from '../../../../domain/editor/operation-log/custom-ids';
import { currentSchemaVersion } from '../../../../domain/editor/schema-versions';
import {
  chooseCompaction,
  type NodeUpdates,
  rewriteChunk,
  type SerializedNode,
  splitDelta,
  updatesByChunk,
} from '../../../../domain/editor/snapshot/compaction';
import {
  type Chunk,
  type IdRunRef,
  type Manifest,
  type PieceRef,
  serializeManifest,
} from '../../../../domain/editor/snapshot/manifest';
import { parsePiece, serializeNode, serializePiece } from '../../../../domain/editor/snapshot/piece';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import { damaged, type SnapshotFault } from '../piece-blobs';
import { loadManifest, type PieceStore } from '../piece-store';

export interface SnapshotInput extends ChangedNodes {
  readonly documentId: DocumentId;
  readonly version: number;
  readonly previous?: Pick<Snapshot, 'compressedSceneKey' | 'checksum'>;
  readonly clients: StoredClientTable;
  /** No later snapshot continues from it, so the changes become one more delta, without compaction. */
  readonly isLast?: boolean;
}

/** Maximum number of assets in the snapshot itself; the manifest has all. */
const maxAssets = 1_000;

type PreviousLayers = Layers & Pick<Manifest, 'idRuns'>;

const readPreviousLayers = async (pieces: PieceStore, { previous }: SnapshotInput): WriteResult<PreviousLayers> =>
  previous === undefined ? right({ base: [], deltas: [] }) : loadManifest(pieces, previous);

const assetsOf = ({ base, deltas }: Layers): string[] => {
  const named = new Set([...base.map(({ piece }) => piece), ...deltas].flatMap(({ assets }) => assets));
  return [...named].slice(0, maxAssets);
};

/** Reuses the pieces of the previous snapshot. */
const putRuns = async (
  pieces: PieceStore,
  runs: readonly IdRun[],
  before: readonly IdRunRef[],
): WriteResult<IdRunRef[]> => {
  const known = new Map(before.map((ref) => [ref.digest, ref]));
  const refs: IdRunRef[] = [];
  for (const run of runs) {
    const text = serializeRun(run);
    const digest = createHash('sha256').update(text).digest('hex');
    const ref = known.get(digest);
    const stored = ref === undefined ? await pieces.put(text) : right(ref.piece);
    if (isLeft(stored)) return stored;
    refs.push({ digest, piece: { nodes: 0, assets: [], ...stored.right } });
  }
  return right(refs);
};

/** Stores the pieces before the manifest that refers to them, so an interrupted run leaves no incomplete snapshot. */
export const makeSnapshot = async (pieces: PieceStore, input: SnapshotInput): WriteResult<Snapshot> => {
  const before = await readPreviousLayers(pieces, input);
  if (isLeft(before)) return before;
  const { base, deltas, idRuns: runsBefore = [] } = before.right;
  const { idRuns = [], ...clientsRecord } = input.clients;
  const [layers, clients, runs] = await Promise.all([
    (input.isLast === true ? appendDelta : compactLayers)(pieces, { base, deltas }, input),
    pieces.put(JSON.stringify(clientsRecord)),
    putRuns(pieces, idRuns, runsBefore),
  ]);
  if (isLeft(layers)) return layers;
  if (isLeft(clients)) return clients;
  if (isLeft(runs)) return runs;
  const { documentId, version } = input;
  const about = { documentId, version, schemaVersion: currentSchemaVersion };
  const table = { ...clients.right, nodes: 0, assets: [] };
  const manifest = { ...about, ...layers.right, clients: table, idRuns: runs.right };
  const stored = await pieces.put(serializeManifest(manifest));
  if (isLeft(stored)) return stored;
  const { key: compressedSceneKey, checksum } = stored.right;
  return right({ ...about, compressedSceneKey, checksum, assetRefs: assetsOf(layers.right) });
};

/** The layers of a snapshot. Changes become another delta, or all deltas are merged into one, or into the base. */

export type Layers = Pick<Manifest, 'base' | 'deltas'>;
export type WriteResult<Value> = Promise<Either<SnapshotFault, Value>>;

export interface ChangedNodes {
  readonly changed: readonly SerializedNode[];
  readonly removed: readonly NodeId[];
}

interface SerializedPiece {
  readonly rows: readonly SerializedNode[];
  readonly removed: readonly NodeId[];
}

const readSerializedPiece = async (pieces: PieceStore, piece: PieceRef): WriteResult<SerializedPiece> => {
  const text = await pieces.get(piece);
  if (isLeft(text)) return text;
  const read = parsePiece(text.right);
  if (isLeft(read)) return damaged(read.left);
  const { nodes, removed } = read.right;
  return right({ rows: nodes.map((node): SerializedNode => [node.id, serializeNode(node)]), removed });
};

/** The asset of a serialized node. Most nodes have none, so the text is searched before it is parsed. */
const assetIn = (text: string): readonly string[] => {
  if (!text.includes('"contentRef"')) return [];
  const { properties } = JSON.parse(text) as { readonly properties: { readonly contentRef?: unknown } };
  const { contentRef } = properties;
  return typeof contentRef === 'string' && contentRef.length > 0 && contentRef.length <= 512 ? [contentRef] : [];
};

const putPiece = async (
  pieces: PieceStore,
  rows: readonly SerializedNode[],
  removed: readonly NodeId[],
): WriteResult<PieceRef> => {
  const texts = rows.map(([, text]) => text);
  const stored = await pieces.put(serializePiece(texts, removed));
  if (isLeft(stored)) return stored;
  const assets = [...new Set(texts.flatMap(assetIn))];
  return right({ ...stored.right, nodes: rows.length + removed.length, assets });
};

const nodeUpdatesOf = ({ changed, removed }: ChangedNodes): NodeUpdates =>
  new Map<NodeId, string | null>([...removed.map((id) => [id, null] as const), ...changed]);

/** Merges the deltas and the new changes: the newest update of each node. */
const collectUpdates = async (pieces: PieceStore, { deltas }: Layers, its: ChangedNodes): WriteResult<NodeUpdates> => {
  const changes = new Map<NodeId, string | null>();
  for (const delta of deltas) {
    const read = await readSerializedPiece(pieces, delta);
    if (isLeft(read)) return read;
    for (const id of read.right.removed) changes.set(id, null);
    for (const [id, text] of read.right.rows) changes.set(id, text);
  }
  for (const [id, text] of nodeUpdatesOf(its)) changes.set(id, text);
  return right(changes);
};

/** No node is in two pieces of the delta, so their order does not matter. */
const putDelta = async (pieces: PieceStore, changes: NodeUpdates): WriteResult<readonly PieceRef[]> => {
  const delta: PieceRef[] = [];
  for (const part of splitDelta([...changes])) {
    const rows = part.filter((entry): entry is [NodeId, string] => entry[1] !== null);
    const removed = part.flatMap(([id, text]) => (text === null ? [id] : []));
    const piece = await putPiece(pieces, rows, removed);
    if (isLeft(piece)) return piece;
    delta.push(piece.right);
  }
  return right(delta);
};

const mergeDeltas = async (pieces: PieceStore, { base }: Layers, changes: NodeUpdates): WriteResult<Layers> => {
  const delta = await putDelta(pieces, changes);
  return isLeft(delta) ? delta : right({ base, deltas: [...delta.right] });
};

const rewriteChunkPieces = async (
  pieces: PieceStore,
  chunk: Chunk | undefined,
  changes: NodeUpdates,
): WriteResult<readonly Chunk[]> => {
  const before = chunk === undefined ? right({ rows: [] }) : await readSerializedPiece(pieces, chunk.piece);
  if (isLeft(before)) return before;
  const chunks: Chunk[] = [];
  for (const rows of rewriteChunk(before.right.rows, changes)) {
    const piece = await putPiece(pieces, rows, []);
    if (isLeft(piece)) return piece;
    chunks.push({ first: (rows[0] as SerializedNode)[0], piece: piece.right });
  }
  return right(chunks);
};

/** Reuses the pieces of unchanged chunks. */
const mergeIntoBase = async (pieces: PieceStore, { base }: Layers, changes: NodeUpdates): WriteResult<Layers> => {
  const byChunk = updatesByChunk(base, changes);
  const after: Chunk[] = [];
  for (let index = 0; index < Math.max(1, base.length); index += 1) {
    const its = byChunk.get(index);
    const chunk = base[index];
    const chunks =
      its === undefined ? right(chunk === undefined ? [] : [chunk]) : await rewriteChunkPieces(pieces, chunk, its);
    if (isLeft(chunks)) return chunks;
    after.push(...chunks.right);
  }
  return right({ base: after, deltas: [] });
};

/** Without compaction, for versions that are only viewed. */
const appendDelta = async (pieces: PieceStore, { base, deltas }: Layers, its: ChangedNodes): WriteResult<Layers> => {
  const delta = await putDelta(pieces, nodeUpdatesOf(its));
  return isLeft(delta) ? delta : right({ base, deltas: [...deltas, ...delta.right] });
};

/** With compaction, for snapshots from which later ones continue. */
const compactLayers = async (pieces: PieceStore, layers: Layers, its: ChangedNodes): WriteResult<Layers> => {
  const incoming = its.changed.length + its.removed.length;
  const compaction = incoming === 0 ? 'none' : chooseCompaction(layers, incoming);
  if (compaction === 'none') return appendDelta(pieces, layers, its);
  const changes = await collectUpdates(pieces, layers, its);
  if (isLeft(changes)) return changes;
  return (compaction === 'deltas' ? mergeDeltas : mergeIntoBase)(pieces, layers, changes.right);
};
