/** Compares two snapshots of a document. Pieces that both share are equal, so only the others are read. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { NodeId } from '../../../../domain/editor/ids';
import { diffScenes, type NodeDifference } from '../../../../domain/editor/scene/diff';
import { emptyScene, type Scene } from '../../../../domain/editor/scene/scene';
import { type Manifest, type PieceRef, piecesNewestFirst } from '../../../../domain/editor/snapshot/manifest';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { SnapshotFault } from '../piece-blobs';
import { loadManifest, type PieceStore } from '../piece-store';
import { forEachPiece, loadNodes } from './snapshot-reader';

type DiffResult<Value> = Promise<Either<SnapshotFault, Value>>;

export type DiffCounts = { readonly [kind in NodeDifference['kind']]: number };

/** Ids of differing nodes without their content, so that an index of a million nodes can be cached. */
export interface DiffIndex {
  readonly from: Manifest;
  readonly to: Manifest;
  /** Sorted. */
  readonly ids: readonly NodeId[];
  readonly counts: DiffCounts;
}

const unsharedPieces = (from: Manifest, to: Manifest): readonly PieceRef[] => {
  const [these, those] = [piecesNewestFirst(from), piecesNewestFirst(to)];
  const [its, others] = [these, those].map((refs) => new Set(refs.map(({ key }) => key)));
  return [
    ...these.filter(({ key }) => others?.has(key) !== true),
    ...those.filter(({ key }) => its?.has(key) !== true),
  ];
};

const nodeIdsIn = async (pieces: PieceStore, refs: readonly PieceRef[]): DiffResult<ReadonlySet<NodeId>> => {
  const ids = new Set<NodeId>();
  const read = await forEachPiece(pieces, refs, ({ nodes, removed }) => {
    for (const { id } of nodes) ids.add(id);
    for (const id of removed) ids.add(id);
  });
  return isLeft(read) ? read : right(ids);
};

export interface ScenePair {
  readonly before: Scene;
  readonly after: Scene;
}

/** Loads the nodes `ids` of both versions. */
export const loadScenePair = async (
  pieces: PieceStore,
  { from, to }: Pick<DiffIndex, 'from' | 'to'>,
  ids: ReadonlySet<NodeId>,
): DiffResult<ScenePair> => {
  const [before, after] = [emptyScene(), emptyScene()];
  for (const [manifest, scene] of [
    [from, before],
    [to, after],
  ] as const) {
    const loaded = await loadNodes(pieces, { manifest, ids }, scene);
    if (isLeft(loaded)) return loaded;
  }
  return right({ before, after });
};

const indexDifferences = ({ before, after }: ScenePair): Pick<DiffIndex, 'ids' | 'counts'> => {
  const counts = { created: 0, deleted: 0, changed: 0 };
  const ids: NodeId[] = [];
  for (const { kind, node } of diffScenes(before, after)) {
    counts[kind] += 1;
    ids.push(node.id);
  }
  return { ids: ids.sort(), counts };
};

export const buildDiffIndex = async (pieces: PieceStore, earlier: Snapshot, later: Snapshot): DiffResult<DiffIndex> => {
  const [from, to] = [await loadManifest(pieces, earlier), await loadManifest(pieces, later)];
  if (isLeft(from)) return from;
  if (isLeft(to)) return to;
  const manifests = { from: from.right, to: to.right };
  const ids = await nodeIdsIn(pieces, unsharedPieces(from.right, to.right));
  if (isLeft(ids)) return ids;
  const scenes = await loadScenePair(pieces, manifests, ids.right);
  return isLeft(scenes) ? scenes : right({ ...manifests, ...indexDifferences(scenes.right) });
};
