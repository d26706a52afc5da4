/** Decides when to take a snapshot. Changed nodes are collected in one step and written by the snapshot worker. */
import { type Either, isRight, left } from 'fp-ts/Either';
import type { DocumentKey, NodeId } from '../../../../domain/editor/ids';
import { encodeClientTable } from '../../../../domain/editor/operation-log/client-table';
import { getNode, type SceneNode } from '../../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import { fault } from '../../../../domain/kernel/rejection';
import type { SnapshotFault } from '../../../../infra/server/documents/piece-blobs';
import type { SnapshotRequest } from '../../ports';
import type { ReplicationBacklog } from '../broadcast/replication-backlog';
import { limitClients } from '../client-id-rules';
import type { OwnerDeps } from '../dependencies';
import type { DocumentContent } from '../document-content';

export interface SnapshotScheduler {
  /** Whether enough changed since the newest snapshot. */
  readonly isOverThreshold: () => boolean;
  /** Whether one may be taken now. Only between appends, when the scene contains nothing uncommitted. */
  readonly isDue: () => boolean;
  /** Resolves when the snapshot is stored, or could not be stored. */
  readonly take: () => Promise<void>;
  readonly inProgress: () => Promise<void> | undefined;
  /** A stored snapshot that the log does not name yet. */
  readonly unrecorded: () => Snapshot | undefined;
  /** The log names this snapshot. */
  readonly markRecorded: (snapshot: Snapshot) => void;
}

interface ScheduledDocument {
  readonly deps: Pick<OwnerDeps, 'snapshots' | 'settings' | 'clientIds' | 'metrics' | 'log'>;
  readonly documentKey: DocumentKey;
  readonly content: DocumentContent;
  readonly backlog: ReplicationBacklog;
}

const snapshotRequestOf = (document: ScheduledDocument): SnapshotRequest => {
  const { documentKey, content } = document;
  limitClients(document);
  const changed: SceneNode[] = [];
  const removed: NodeId[] = [];
  for (const id of content.changed) {
    const node = getNode(content.scene, id);
    if (node === undefined) removed.push(id);
    else changed.push(node);
  }
  const { version, snapshot: previous } = content;
  const clients = encodeClientTable(content.clients);
  return { documentKey, version, changed, removed, clients, ...(previous === undefined ? {} : { previous }) };
};

/** A store that throws has a defect; the document continues without a snapshot. */
const writeSnapshot = async (
  { deps, documentKey }: ScheduledDocument,
  request: SnapshotRequest,
): Promise<Either<SnapshotFault, Snapshot>> => {
  try {
    return await deps.snapshots.take(request);
  } catch (error) {
    deps.log.error({ ...documentKey, error }, 'a snapshot could not be made');
    return left(fault('snapshots-unavailable', 'A snapshot could not be made.'));
  }
};

/** What changed since the snapshot before counts again. */
const countAgain = (content: DocumentContent, { changed, tail }: Pick<DocumentContent, 'changed' | 'tail'>): void => {
  for (const id of changed) content.changed.add(id);
  content.tail.operations += tail.operations;
  content.tail.bytes += tail.bytes;
};

type SnapshotResult = Snapshot | 'failed' | 'obsolete';

const takeSnapshot = async (document: ScheduledDocument, request: SnapshotRequest): Promise<SnapshotResult> => {
  const { content, deps, documentKey, backlog } = document;
  const { changed, tail } = content;
  content.changed = new Set();
  content.tail = { operations: 0, bytes: 0 };
  const taken = await writeSnapshot(document, request);
  deps.metrics.snapshot(isRight(taken) ? 'taken' : 'failed');
  // A restore replaced the scene meanwhile; the snapshot belongs to the previous one.
  if (content.snapshot !== request.previous) return 'obsolete';
  if (isRight(taken)) {
    content.snapshot = taken.right;
    backlog.releaseUpTo(taken.right.version);
    return taken.right;
  }
  deps.log.warn({ ...documentKey, code: taken.left.code }, 'a snapshot could not be stored; it is tried again');
  countAgain(content, { changed, tail });
  return 'failed';
};

export const createSnapshotScheduler = (document: ScheduledDocument): SnapshotScheduler => {
  const { content, deps } = document;
  const { operations, bytes, pauseMilliseconds } = deps.settings.snapshot;
  let unrecorded: Snapshot | undefined;
  let inProgress: Promise<void> | undefined;
  let nextAttemptAt = 0;
  const isOverThreshold = (): boolean => content.tail.operations >= operations || content.tail.bytes >= bytes;
  const takeAndNote = async (request: SnapshotRequest): Promise<void> => {
    const result = await takeSnapshot(document, request);
    inProgress = undefined;
    if (result === 'failed') nextAttemptAt = performance.now() + pauseMilliseconds;
    else if (result !== 'obsolete') unrecorded = result;
  };
  return {
    isOverThreshold,
    isDue: () => isOverThreshold() && inProgress === undefined && performance.now() >= nextAttemptAt,
    take: () => {
      inProgress = takeAndNote(snapshotRequestOf(document));
      return inProgress;
    },
    inProgress: () => inProgress,
    unrecorded: () => unrecorded,
    markRecorded: ({ version }) => {
      if (unrecorded !== undefined && unrecorded.version <= version) unrecorded = undefined;
    },
  };
};
