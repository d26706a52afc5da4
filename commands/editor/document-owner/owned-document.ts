/** One document that this process owns, with everything that is under way in it. */
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
  /** In the log, and told. */
  committedVersion: number;
  readonly queue: QueuedBatch[];
  readonly listeners: Set<(told: Broadcast) => void>;
  readonly end: AbortController;
  /** Nothing more is taken in. */
  closing: boolean;
  /** The turn that is under way: there is one at most. */
  committing: Promise<void> | undefined;
  /** Kept, and not yet said in the log. */
  unrecordedSnapshot: Snapshot | undefined;
  takingSnapshot: Promise<void> | undefined;
  /** No snapshot is tried before this. */
  nextSnapshotAt: number;
  /** Batches of a client wait for those before them. */
  readonly preparing: Map<ClientId, Promise<unknown>>;
  /** The last that is to put a version back: the scene of one is held beside the present one, and of no more. */
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

/** Nothing is put in order here any more; who waits is told to come back. What is being appended is still answered. */
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
