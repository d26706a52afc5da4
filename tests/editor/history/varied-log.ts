/** A document's log with everything that stands in one, and the scene as it was at each of its versions. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { SnapshotStore } from '../../../commands/editor/ports';
import type { ClientId, DocumentId } from '../../../domain/editor/ids';
import type { Operation } from '../../../domain/editor/operation';
import { type OperationLogEvent, operationLog } from '../../../domain/editor/operation-log/events';
import { emptyScene, iterateNodes, type Scene, type SceneNode, setNode } from '../../../domain/editor/scene/scene';
import { serializeNode } from '../../../domain/editor/snapshot/piece';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { streamPagesOf } from '../../../infra/adapters/eventstore/read/stream-pages';
import { openPieceStore, type PieceStore } from '../../../infra/server/documents/piece-store';
import { makeSnapshot } from '../../../infra/server/documents/snapshots/snapshot-writer';
import { openVersionSnapshots } from '../../../infra/server/documents/snapshots/version-snapshot';
import { metadataOf } from '../documents/routes/fixture';
import { ann, emptyReplica, operation, type Replica, runAs } from '../reducer/clients';
import { memoryPieceBlobs, runSnapshotWorkHere } from '../snapshots/memory-storage';
import { clients, storeSnapshot, tenant } from '../snapshots/small-chunks';

const documentId = 'd-1' as DocumentId;
const place = { tenant, documentId };

export interface VariedLog {
  readonly pieces: PieceStore;
  readonly at: (version: number) => ReturnType<SnapshotStore['atVersion']>;
  readonly runJob: ReturnType<typeof runSnapshotWorkHere>;
  readonly present: Replica;
  readonly versions: Map<number, readonly SceneNode[]>;
  readonly append: (...events: readonly OperationLogEvent[]) => Promise<void>;
  latest: Snapshot | undefined;
}

const openLog = () => {
  const store = openMemoryEventStore();
  const append: VariedLog['append'] = async (...events) => {
    const metadata = metadataOf('acme');
    const stored = events.map((event) => ({ id: crypto.randomUUID(), ...operationLog.encode(event), metadata }));
    assert.ok(isRight(await store.append(`editor.log-acme.${documentId}`, 'any', stored)));
  };
  return { append, pages: streamPagesOf(store) };
};

/** Its log begins empty, or with what was copied. */
export const openVariedLog = async (copied: Replica | undefined): Promise<VariedLog> => {
  const bytes = memoryPieceBlobs();
  const [pieces, runJob, { append, pages }] = [openPieceStore(bytes, tenant), runSnapshotWorkHere(bytes), openLog()];
  const at = openVersionSnapshots({ pages, worker: { run: runJob } });
  const present = copied ?? emptyReplica();
  const versions = new Map([[present.version, [...iterateNodes(present.scene)]]]);
  const log = { pieces, runJob, present, versions, append, at: (version: number) => at(place, version) };
  if (copied === undefined) return { ...log, latest: undefined };
  const { version } = copied;
  const snapshot = await storeSnapshot(pieces, { documentId, version, nodes: versions.get(version) ?? [] });
  await append({ type: 'ContentCopied', data: { documentId, from: { documentId, version }, snapshot } });
  return { ...log, latest: snapshot };
};

const nodesAt = ({ versions }: VariedLog, version: number): readonly SceneNode[] => versions.get(version) ?? [];

export const sceneAt = (log: VariedLog, version: number): Scene => {
  const scene = emptyScene();
  for (const node of nodesAt(log, version)) setNode(scene, node.id, node);
  return scene;
};

const batchOf = (fromVersion: number, clientId: ClientId, operations: readonly Operation[]): OperationLogEvent => {
  const toVersion = fromVersion + operations.length - 1;
  const data = { documentId, epoch: 1, fromVersion, toVersion, clientId, lastClientSeq: 1 };
  return { type: 'OperationsCommitted', data: { ...data, operations: [...operations] } };
};

export const commit = async (log: VariedLog, client: ClientId, operations: readonly Operation[]): Promise<void> => {
  const { present, versions, append } = log;
  const fromVersion = present.version + 1;
  const committed: Operation[] = [];
  for (const one of operations) {
    committed.push(...runAs(present, client, [one]).committed);
    versions.set(present.version, [...iterateNodes(present.scene)]);
  }
  if (committed.length > 0) await append(batchOf(fromVersion, client, committed));
};

const changesSince = (before: readonly SceneNode[], after: readonly SceneNode[]) => {
  const [known, there] = [new Map(before.map((node) => [node.id, node])), new Set(after.map(({ id }) => id))];
  return {
    changed: after.filter((node) => known.get(node.id) !== node).map((node) => [node.id, serializeNode(node)] as const),
    removed: before.map(({ id }) => id).filter((id) => !there.has(id)),
  };
};

export interface SnapshotFaults {
  /** It names bytes that are not there. */
  readonly isSpoilt: boolean;
}

const takenEvent = (snapshot: Snapshot, { isSpoilt }: SnapshotFaults): OperationLogEvent => {
  const stored = isSpoilt ? { ...snapshot, compressedSceneKey: `${snapshot.version} is gone` } : snapshot;
  return { type: 'SnapshotTaken', data: { epoch: 1, snapshot: stored } };
};

/** Of a version that was some time ago: it took so long. */
export const takeSnapshot = async (
  log: VariedLog,
  request: SnapshotFaults & { readonly ago: number },
): Promise<void> => {
  const { latest, present, pieces } = log;
  const [before, version] = [latest?.version ?? 0, present.version - request.ago];
  if (version <= before) return;
  const changes = changesSince(nodesAt(log, before), nodesAt(log, version));
  const previous = latest === undefined ? {} : { previous: latest };
  const snapshot = await makeSnapshot(pieces, { documentId, version, clients, ...changes, ...previous });
  assert.ok(isRight(snapshot));
  log.latest = snapshot.right;
  await log.append(takenEvent(snapshot.right, request));
};

export const takeOver = ({ append }: VariedLog): Promise<void> =>
  append({ type: 'OwnershipTaken', data: { documentId, epoch: 1, ownerProcessId: 'o-1' } });

export const restore = async (log: VariedLog, version: number, faults: SnapshotFaults): Promise<void> => {
  const { present, pieces, versions } = log;
  const earlier = await log.at(version);
  assert.ok(isRight(earlier));
  const { compressedSceneKey: manifestKey, checksum } = earlier.right;
  const about = { documentId, version: present.version + 1, clients, changed: [], removed: [] };
  const snapshot = await makeSnapshot(pieces, { ...about, previous: earlier.right });
  assert.ok(isRight(snapshot));
  Object.assign(present, { scene: sceneAt(log, version), version: about.version });
  versions.set(about.version, nodesAt(log, version));
  log.latest = snapshot.right;
  const payload = { version, snapshot: { manifestKey, checksum } };
  const batch = batchOf(about.version, ann, [operation('restoreVersion', payload)]);
  await log.append(batch, takenEvent(snapshot.right, faults));
};
