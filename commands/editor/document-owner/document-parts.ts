/** The parts of a document that this process owns. Each part has its own mutable state. */
import type { DocumentKey } from '../../../domain/editor/ids';
import type { Broadcaster } from './broadcast/broadcaster';
import type { ClientSequences } from './client-sequences';
import type { BatchQueue } from './commit/batch-queue';
import type { PermissionCache } from './commit/permission-cache';
import type { SnapshotScheduler } from './commit/snapshot-scheduler';
import type { OwnerDeps } from './dependencies';
import type { DocumentContent } from './document-content';
import type { DocumentLifetime } from './lifetime';

export interface DocumentParts {
  readonly deps: OwnerDeps;
  readonly documentKey: DocumentKey;
  readonly stream: string;
  readonly epoch: number;
  readonly content: DocumentContent;
  readonly sequences: ClientSequences;
  readonly permissions: PermissionCache;
  readonly queue: BatchQueue;
  readonly snapshots: SnapshotScheduler;
  readonly broadcaster: Broadcaster;
  readonly lifetime: DocumentLifetime;
}
