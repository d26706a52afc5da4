/** A document whose log is long: batches of a few operations, as people's edits come, and a snapshot now and then. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { ClientId, DocumentId, NodeId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { logStream, type OperationLogEvent, operationLog } from '../../../../domain/editor/operation-log/events';
import { apply } from '../../../../domain/editor/reducer/apply';
import { emptyScene, getNode, type Scene } from '../../../../domain/editor/scene/scene';
import type { SerializedNode } from '../../../../domain/editor/snapshot/compaction';
import { serializeNode } from '../../../../domain/editor/snapshot/piece';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { NewEvent } from '../../../../infra/ports/event-store';
import { pieceBlobs } from '../../../../infra/server/documents/piece-blobs';
import { openPieceStore } from '../../../../infra/server/documents/piece-store';
import { makeSnapshot } from '../../../../infra/server/documents/snapshots/snapshot-writer';
import { recordDocument } from '../../../contracts/editor/sessions/fixture';
import { metadata } from '../../../identity/read-api/fixture';
import { nodeAt } from './nodes';
import type { Setting } from './stores';

const tenant = 'acme' as TenantId;
const clientId = 'bench00000' as ClientId;
const nodes = 5_000;
/** Operations of one event, by turns. */
const batchSizes = [1, 1, 3, 1, 8, 1, 20, 5];
/** As many as an owner leaves. */
const betweenSnapshots = 2_000;
/** While one is made: what is committed at a full rate in two seconds. */
const cameMeanwhile = 100;
const createdAt = '2026-01-31T12:00:00.000Z' as Operation['createdAt'];

/** The first ones make the nodes, all others move one each, all over the document. */
const operationAt = (documentId: DocumentId, version: number): Operation => {
  const node = nodeAt(((version - 1) * (version <= nodes ? 1 : 7_919)) % nodes);
  const header = { opId: `${clientId}-${version}`, documentId, actorId: 'ada', clientSeq: version, baseVersion: 0 };
  const isFirst = version <= nodes;
  const payload = isFirst
    ? { nodes: [node] }
    : { transforms: { [node.id]: [1, 0, 0, 1, version % 977, version % 787] } };
  const type = isFirst ? 'createNode' : 'transformNodes';
  return { ...header, type, targetIds: [node.id], payload, createdAt } as unknown as Operation;
};

interface Filling {
  readonly setting: Setting;
  readonly documentId: DocumentId;
  readonly scene: Scene;
  readonly touched: Set<NodeId>;
  previous: Snapshot | undefined;
  revision: number;
}

const append = async (filling: Filling, events: readonly OperationLogEvent[]): Promise<void> => {
  const newEvents: NewEvent[] = events.map((event) => ({
    id: randomUUID(),
    ...operationLog.encode(event),
    metadata: metadata('acme'),
  }));
  const stream = logStream(tenant, filling.documentId);
  const expected = filling.revision < 0 ? 'no-stream' : filling.revision;
  const appended = await filling.setting.store.append(stream, expected, newEvents);
  if (isLeft(appended)) throw new Error(JSON.stringify(appended.left));
  filling.revision = appended.right.revision;
};

const batchOf = ({ documentId, scene, touched }: Filling, fromVersion: number, size: number): OperationLogEvent => {
  const operations = Array.from({ length: size }, (_, index) => operationAt(documentId, fromVersion + index));
  for (const [index, operation] of operations.entries()) {
    apply(scene, operation, fromVersion + index);
    for (const id of operation.targetIds) touched.add(id);
  }
  const toVersion = fromVersion + size - 1;
  const data = { documentId, epoch: 1, fromVersion, toVersion, clientId, lastClientSeq: toVersion, operations };
  return { type: 'OperationsCommitted', data };
};

/** Up to a version, after what else is to be recorded. */
const commit = (
  filling: Filling,
  [fromVersion, toVersion]: readonly [number, number],
  before: readonly OperationLogEvent[] = [],
): Promise<void> => {
  const batches: OperationLogEvent[] = [];
  for (let version = fromVersion; version <= toVersion; ) {
    const size = Math.min(batchSizes[batches.length % batchSizes.length] ?? 1, toVersion - version + 1);
    batches.push(batchOf(filling, version, size));
    version += size;
  }
  return append(filling, [...before, ...batches]);
};

/** Of what is there now: what comes meanwhile is not in it. */
const takeSnapshot = async (filling: Filling, version: number): Promise<Snapshot> => {
  const { documentId, scene, touched, previous, setting } = filling;
  const changed = [...touched].flatMap((id): readonly SerializedNode[] => {
    const node = getNode(scene, id);
    return node === undefined ? [] : [[id, serializeNode(node)]];
  });
  touched.clear();
  const clients = { clients: [[clientId, 'ada', version] as [ClientId, string, number]], recent: [] };
  const before = previous === undefined ? {} : { previous };
  const making = { documentId, version, changed, removed: [], clients, ...before };
  const taken = await makeSnapshot(openPieceStore(pieceBlobs(setting.blobs), tenant), making);
  if (isLeft(taken)) throw new Error(taken.left.detail);
  return taken.right;
};

/** A snapshot is recorded when it is done, after what came meanwhile. */
const fill = async (filling: Filling, operations: number): Promise<void> => {
  let taking: Promise<Snapshot> | undefined;
  for (let version = 0; version < operations; version += betweenSnapshots) {
    const [meanwhile, reached] = [version + cameMeanwhile, Math.min(operations, version + betweenSnapshots)];
    const [snapshot] = await Promise.all([taking, commit(filling, [version + 1, meanwhile])]);
    const recorded: readonly OperationLogEvent[] =
      snapshot === undefined ? [] : [{ type: 'SnapshotTaken', data: { epoch: 1, snapshot } }];
    await commit(filling, [meanwhile + 1, reached], recorded);
    filling.previous = snapshot;
    taking = takeSnapshot(filling, reached);
  }
  await taking;
};

/** Answers its id; `ada` owns it. */
export const makeLongLog = async (setting: Setting, operations: number): Promise<DocumentId> => {
  const documentId = (await recordDocument(setting.store)) as DocumentId;
  const [scene, touched] = [emptyScene(), new Set<NodeId>()];
  const filling: Filling = { setting, documentId, scene, touched, previous: undefined, revision: -1 };
  const taken = { type: 'OwnershipTaken', data: { documentId, epoch: 1, ownerProcessId: 'bench' } } as const;
  await append(filling, [taken]);
  await fill(filling, operations);
  return documentId;
};
