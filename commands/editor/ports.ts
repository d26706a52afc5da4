/** What the owner of documents needs of others: who may do what, and scenes that outlive it. */
import type { Either } from 'fp-ts/Either';
import type { NodeId } from '../../domain/editor/ids';
import type { StoredClientTable } from '../../domain/editor/operation-log/client-table-codec';
import type { Scene, SceneNode } from '../../domain/editor/scene/scene';
import type { Snapshot } from '../../domain/editor/snapshot/snapshot';
import type { DocumentKey } from '../../domain/editor/streams';
import type { Rejection } from '../../domain/kernel/rejection';
import type { AccessReader, DocumentAccess } from '../../infra/documents/document-access';
import type { SnapshotFault } from '../../infra/documents/piece-blobs';
import type { EventStoreFault } from '../../infra/ports/event-store';

export interface AccessSource {
  readonly read: AccessReader;
  /** Tells of every change soon, in order; the answer ends it. */
  readonly watch: (documentKey: DocumentKey, changed: (standing: DocumentAccess) => void) => () => void;
}

export interface SnapshotRequest {
  readonly documentKey: DocumentKey;
  /** The committed version that it is of. */
  readonly version: number;
  /** What it goes on from; left out, from an empty scene. */
  readonly previous?: Snapshot;
  /** Since then. Nodes do not change: they may be written down while the scene goes on. */
  readonly changed: readonly SceneNode[];
  readonly removed: readonly NodeId[];
  /** As of that version; replaces the table of the previous snapshot. */
  readonly clients: StoredClientTable;
}

export interface SnapshotStore {
  /** Puts its nodes into an empty scene, never holding the thread for long; answers the table of clients in it. */
  readonly load: (
    documentKey: DocumentKey,
    snapshot: Snapshot,
    into: Scene,
  ) => Promise<Either<SnapshotFault, StoredClientTable>>;
  readonly take: (request: SnapshotRequest) => Promise<Either<SnapshotFault, Snapshot>>;
  /**
   * Of any version that there was, made from an earlier one and the log where there is none. `temporary`: what is stored for it goes after
   * a day, so nothing that is recorded may name it.
   */
  readonly atVersion: (
    documentKey: DocumentKey,
    version: number,
    use?: 'lasting' | 'temporary',
  ) => Promise<Either<SnapshotFault | EventStoreFault | Rejection<'version-unknown'>, Snapshot>>;
}
