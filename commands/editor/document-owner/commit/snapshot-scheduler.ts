/** Decides when to take a snapshot. Changed nodes are collected in one step and written by the snapshot worker. */
import { type Either, isRight, left } from 'fp-ts/Either';
import type { NodeId } from '../../../../domain/editor/ids';
import { encodeClientTable } from '../../../../domain/editor/operation-log/client-table';
import { getNode, type SceneNode } from '../../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import { fault } from '../../../../domain/kernel/rejection';
import type { SnapshotFault } from '../../../../infra/documents/piece-blobs';
import type { SnapshotRequest } from '../../ports';
import { limitClients } from '../client-id-rules';
import { isClosed, type OwnedDocument } from '../owned-document';

/** Whether enough changed since the newest snapshot. */
export const isOverThreshold = ({ content: { tail }, deps }: Pick<OwnedDocument, 'content' | 'deps'>): boolean => {
  const { operations, bytes } = deps.settings.snapshot;
  return tail.operations >= operations || tail.bytes >= bytes;
};

/** Only between appends, when the scene contains nothing uncommitted. */
export const isSnapshotDue = (owned: OwnedDocument): boolean =>
  isOverThreshold(owned) && owned.takingSnapshot === undefined && performance.now() >= owned.nextSnapshotAt;

const snapshotRequestOf = (owned: OwnedDocument): SnapshotRequest => {
  const { documentKey, content } = owned;
  limitClients(owned);
  const changed: SceneNode[] = [];
  const removed: NodeId[] = [];
  for (const id of content.changed) {
    const node = getNode(content.scene, id);
    if (node === undefined) removed.push(id);
    else changed.push(node);
  }
  const { version, snapshot: previous } = content;
  const clients = encodeClientTable(content.clients);
  return {
    documentKey,
    version,
    changed,
    removed,
    clients,
    ...(previous === undefined ? {} : { previous }),
  };
};

/** A restore replaced the scene meanwhile; the snapshot belongs to the previous one. */
const isObsolete = ({ content }: OwnedDocument, { previous }: SnapshotRequest): boolean =>
  content.snapshot !== previous;

/** A store that throws has a defect; the document continues without a snapshot. */
const writeSnapshot = async (
  { deps, documentKey }: OwnedDocument,
  request: SnapshotRequest,
): Promise<Either<SnapshotFault, Snapshot>> => {
  try {
    return await deps.snapshots.take(request);
  } catch (error) {
    deps.log.error({ ...documentKey, error }, 'a snapshot could not be made');
    return left(fault('snapshots-unavailable', 'A snapshot could not be made.'));
  }
};

const takeAndRecord = async (owned: OwnedDocument, request: SnapshotRequest): Promise<void> => {
  const { content, deps } = owned;
  const tail = content.tail;
  const ids = content.changed;
  content.changed = new Set();
  content.tail = { operations: 0, bytes: 0 };
  const taken = await writeSnapshot(owned, request);
  deps.metrics.snapshot(isRight(taken) ? 'taken' : 'failed');
  if (isObsolete(owned, request)) return;
  if (isRight(taken)) {
    content.snapshot = taken.right;
    owned.unrecordedSnapshot = taken.right;
    owned.backlog.releaseUpTo(taken.right.version);
    return;
  }
  deps.log.warn({ ...owned.documentKey, code: taken.left.code }, 'a snapshot could not be stored; it is tried again');
  for (const id of ids) content.changed.add(id);
  content.tail.operations += tail.operations;
  content.tail.bytes += tail.bytes;
  owned.nextSnapshotAt = performance.now() + deps.settings.snapshot.pauseMilliseconds;
};

/** Calls `done` if there is a snapshot to record in the log. */
export const takeSnapshot = (owned: OwnedDocument, done: () => void): Promise<void> => {
  const finished = takeAndRecord(owned, snapshotRequestOf(owned)).then(() => {
    owned.takingSnapshot = undefined;
    if (owned.unrecordedSnapshot !== undefined && !isClosed(owned)) done();
  });
  owned.takingSnapshot = finished;
  return finished;
};
