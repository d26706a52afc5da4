/**
 * Builds the snapshot of an earlier version from an earlier snapshot and the operations after it. Applying an
 * operation needs only the nodes that it names, so the cost depends on those operations, not on the document's size.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { DocumentId, NodeId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { operationLog } from '../../../../domain/editor/operation-log/events';
import { apply } from '../../../../domain/editor/reducer/apply';
import { touchedNodeIds } from '../../../../domain/editor/reducer/rollback-journal';
import { emptyScene, getNode, type Scene } from '../../../../domain/editor/scene/scene';
import type { Manifest } from '../../../../domain/editor/snapshot/manifest';
import { serializeNode } from '../../../../domain/editor/snapshot/piece';
import { referencedNodeIds } from '../../../../domain/editor/snapshot/piece-lookup';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import { damaged, type SnapshotFault } from '../piece-blobs';
import { loadManifest, type PieceStore } from '../piece-store';
import type { BaseSnapshot, StoredBatch } from './replay-source';
import { loadNodes } from './snapshot-reader';
import type { ChangedNodes } from './snapshot-writer';
import { makeSnapshot } from './snapshot-writer';

export interface ReplayInput {
  readonly documentId: DocumentId;
  readonly version: number;
  /** If omitted, an empty scene. */
  readonly base?: BaseSnapshot;
  /** In order, up to the one with the version. They contain no restore. */
  readonly batches: readonly StoredBatch[];
  /** Stored pieces are deleted after a day. */
  readonly isTemporary?: boolean;
}

const gap = damaged('The document has a gap in its history.');

/** The operations after the base up to the version; left if there is a gap. */
const operationsOf = ({ base, version, batches }: ReplayInput): Either<SnapshotFault, readonly Operation[]> => {
  const first = (base?.version ?? 0) + 1;
  const operations: Operation[] = [];
  for (const { type, data } of batches) {
    const event = operationLog.decode(type, data);
    if (isLeft(event)) return damaged('An event of the document cannot be read.');
    if (event.right.type !== 'OperationsCommitted') continue;
    const { fromVersion, operations: its } = event.right.data;
    const next = first + operations.length;
    if (fromVersion > next) return gap;
    operations.push(...its.slice(next - fromVersion, version - fromVersion + 1));
  }
  return operations.length === version - first + 1 ? right(operations) : gap;
};

const manifestOf = async (
  pieces: PieceStore,
  { base }: ReplayInput,
): Promise<Either<SnapshotFault, Manifest | undefined>> =>
  base === undefined ? right(undefined) : loadManifest(pieces, base.snapshot);

/** Loads only the nodes that the operations name. */
const sceneOf = async (
  pieces: PieceStore,
  manifest: Manifest | undefined,
  operations: readonly Operation[],
): Promise<Either<SnapshotFault, Scene>> => {
  const scene = emptyScene();
  if (manifest === undefined) return right(scene);
  const ids = new Set(operations.flatMap(referencedNodeIds));
  const loaded = await loadNodes(pieces, { manifest, ids }, scene);
  return isLeft(loaded) ? loaded : right(scene);
};

const applyOperations = (scene: Scene, operations: readonly Operation[], firstVersion: number): ChangedNodes => {
  const touched = new Set<NodeId>();
  for (const [index, operation] of operations.entries())
    for (const id of touchedNodeIds(apply(scene, operation, firstVersion + index))) touched.add(id);
  const all = [...touched];
  return {
    changed: all.flatMap((id) => {
      const node = getNode(scene, id);
      return node === undefined ? [] : [[id, serializeNode(node)] as const];
    }),
    removed: all.filter((id) => getNode(scene, id) === undefined),
  };
};

/** No owner continues from an earlier version, so its client table is empty. */
const noClients = { clients: [], recent: [] };

export const replaySnapshot = async (
  pieces: PieceStore,
  input: ReplayInput,
): Promise<Either<SnapshotFault, Snapshot>> => {
  const { documentId, version, base } = input;
  const operations = operationsOf(input);
  if (isLeft(operations)) return operations;
  const manifest = await manifestOf(pieces, input);
  if (isLeft(manifest)) return manifest;
  // The snapshot was taken at this version.
  if (base?.snapshot.version === version && base.version === version) return right(base.snapshot);
  const scene = await sceneOf(pieces, manifest.right, operations.right);
  if (isLeft(scene)) return scene;
  const changes = applyOperations(scene.right, operations.right, (base?.version ?? 0) + 1);
  const previous = base === undefined ? {} : { previous: base.snapshot };
  const target = input.isTemporary === true ? { ...pieces, put: pieces.putTemporary } : pieces;
  return makeSnapshot(target, { documentId, version, ...changes, clients: noClients, isLast: true, ...previous });
};
