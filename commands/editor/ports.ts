/** Ports of the document owner: access rights and snapshots. */
import type { Either } from 'fp-ts/Either';
import type { DocumentKey, NodeId } from '../../domain/editor/ids';
import type { StoredClientTable } from '../../domain/editor/operation-log/client-table-codec';
import type { Scene, SceneNode } from '../../domain/editor/scene/scene';
import type { Snapshot } from '../../domain/editor/snapshot/snapshot';
import type { AccessReader, DocumentAccess } from '../../infra/server/documents/document-access';
import type { SnapshotFault } from '../../infra/server/documents/piece-blobs';
import type { VersionSnapshots } from '../../infra/server/documents/snapshots/version-snapshot';

export interface AccessSource {
  readonly read: AccessReader;
  /** Notifies of every change, in order. Returns the function that unsubscribes. */
  readonly watch: (documentKey: DocumentKey, changed: (access: DocumentAccess) => void) => () => void;
}

export interface SnapshotRequest {
  readonly documentKey: DocumentKey;
  /** The committed version of the scene. */
  readonly version: number;
  /** The snapshot to which the changes apply; an empty scene if absent. */
  readonly previous?: Snapshot;
  /** Nodes changed since `previous`. Nodes are immutable, so the scene may change while they are written. */
  readonly changed: readonly SceneNode[];
  readonly removed: readonly NodeId[];
  /** As of that version; replaces the table of the previous snapshot. */
  readonly clients: StoredClientTable;
}

export interface SnapshotStore {
  /** Loads the nodes into an empty scene and yields to the event loop in between. Returns the snapshot's client table. */
  readonly load: (
    documentKey: DocumentKey,
    snapshot: Snapshot,
    into: Scene,
  ) => Promise<Either<SnapshotFault, StoredClientTable>>;
  readonly take: (request: SnapshotRequest) => Promise<Either<SnapshotFault, Snapshot>>;
  readonly atVersion: VersionSnapshots;
}
