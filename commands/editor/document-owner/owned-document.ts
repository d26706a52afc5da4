/** A document that this process owns: its parts, and the loop that commits to it. */
import type { DocumentKey } from '../../../domain/editor/ids';
import { logStream } from '../../../domain/editor/operation-log/events';
import { createBroadcaster } from './broadcast/broadcaster';
import { createClientSequences } from './client-sequences';
import { createBatchQueue } from './commit/batch-queue';
import { type CommitLoop, createCommitLoop } from './commit/commit-loop';
import { createPermissionCache } from './commit/permission-cache';
import { createSnapshotScheduler } from './commit/snapshot-scheduler';
import type { OwnerDeps } from './dependencies';
import type { DocumentParts } from './document-parts';
import { createDocumentLifetime } from './lifetime';
import type { LoadedDocument } from './registry/load-document';

export interface OwnedDocument extends DocumentParts {
  readonly commitLoop: CommitLoop;
}

export const createOwnedDocument = (
  deps: OwnerDeps,
  documentKey: DocumentKey,
  { epoch, loaded }: { readonly epoch: number; readonly loaded: LoadedDocument },
): OwnedDocument => {
  const { content, frames } = loaded;
  const { backlog: bounds, permissionMaxAgeMilliseconds: milliseconds } = deps.settings;
  const queue = createBatchQueue();
  const snapshotVersion = content.snapshot?.version ?? 0;
  const broadcaster = createBroadcaster({ committedVersion: content.version, snapshotVersion, frames, bounds });
  const { backlog } = broadcaster;
  const parts: DocumentParts = {
    deps,
    documentKey,
    stream: logStream(documentKey.tenant, documentKey.documentId),
    epoch,
    content,
    sequences: createClientSequences(() => content.clients),
    permissions: createPermissionCache({ read: () => deps.access.read(documentKey), milliseconds }),
    queue,
    snapshots: createSnapshotScheduler({ deps, documentKey, content, backlog }),
    broadcaster,
    lifetime: createDocumentLifetime({ deps, documentKey, epoch, queue, broadcaster }),
  };
  return { ...parts, commitLoop: createCommitLoop(parts) };
};
