/** State of one document that this process owns. */
import type { ClientId } from '../../../domain/editor/ids';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import { type DocumentKey, logStream } from '../../../domain/editor/streams';
import { createReplicationBacklog, type ReplicationBacklog } from './broadcast/replication-backlog';
import { type ClientSequences, createClientSequences } from './client-sequences';
import { createPermissionCache, type PermissionCache } from './commit/permission-cache';
import { type QueuedBatch, retryLater } from './commit/queued-batch';
import type { OwnerDeps } from './dependencies';
import type { DocumentContent } from './document-content';
import type { Broadcast, CloseReason } from './document-handle';
import type { LoadedDocument } from './registry/load-document';

export interface OwnedDocument {
  readonly deps: OwnerDeps;
  readonly documentKey: DocumentKey;
  readonly stream: string;
  readonly epoch: number;
  readonly content: DocumentContent;
  readonly sequences: ClientSequences;
  readonly backlog: ReplicationBacklog;
  readonly permissions: PermissionCache;
  /** Committed and broadcast. */
  committedVersion: number;
  readonly queue: QueuedBatch[];
  readonly listeners: Set<(broadcast: Broadcast) => void>;
  readonly end: AbortController;
  /** No more batches are accepted. */
  closing: boolean;
  /** The commit loop in progress, at most one. */
  committing: Promise<void> | undefined;
  /** A stored snapshot that the log does not name yet. */
  unrecordedSnapshot: Snapshot | undefined;
  takingSnapshot: Promise<void> | undefined;
  /** Earliest time of the next snapshot attempt. */
  nextSnapshotAt: number;
  /** Batches in preparation, by client; later batches of the same client wait for them. */
  readonly preparing: Map<ClientId, Promise<unknown>>;
  /** The last restore in preparation. One at a time, because each holds a second scene in memory. */
  restoring: Promise<unknown>;
  /** By the monotonic clock. */
  usedAt: number;
}

export const createOwnedDocument = (
  deps: OwnerDeps,
  documentKey: DocumentKey,
  { epoch, loaded }: { readonly epoch: number; readonly loaded: LoadedDocument },
): OwnedDocument => {
  const { content, frames } = loaded;
  const backlog = createReplicationBacklog(content.snapshot?.version ?? 0, deps.settings.backlog);
  for (const frame of frames) backlog.add(frame);
  return {
    deps,
    documentKey,
    stream: logStream(documentKey.tenant, documentKey.documentId),
    epoch,
    content,
    sequences: createClientSequences(() => content.clients),
    backlog,
    permissions: createPermissionCache({
      read: () => deps.access.read(documentKey),
      milliseconds: deps.settings.permissionMaxAgeMilliseconds,
    }),
    committedVersion: content.version,
    queue: [],
    listeners: new Set(),
    end: new AbortController(),
    closing: false,
    committing: undefined,
    unrecordedSnapshot: undefined,
    takingSnapshot: undefined,
    nextSnapshotAt: 0,
    preparing: new Map(),
    restoring: Promise.resolve(),
    usedAt: performance.now(),
  };
};

/**
 * Closes the document. Queued batches are answered with a retryable error; an append in progress is still
 * acknowledged.
 */
export const closeOwnedDocument = (owned: OwnedDocument, reason: CloseReason): void => {
  if (owned.end.signal.aborted) return;
  owned.closing = true;
  owned.deps.metrics.closed(reason);
  const { documentKey, epoch, committedVersion } = owned;
  owned.deps.log.info({ ...documentKey, epoch, committedVersion, reason }, 'a document was let go');
  owned.end.abort(reason);
  for (const { answer } of owned.queue.splice(0))
    answer(retryLater('The document is being taken over; send it again.'));
  owned.listeners.clear();
};

export const isClosed = ({ end }: OwnedDocument): boolean => end.signal.aborted;
