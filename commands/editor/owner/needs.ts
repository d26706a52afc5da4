/** What the owner of documents needs of others: who may do what, and scenes that outlive it. */
import type { Either } from 'fp-ts/Either';
import type { DocumentId, NodeId } from '../../../domain/editor/ids';
import type { StoredClients } from '../../../domain/editor/log/clients-record';
import type { Role } from '../../../domain/editor/roles';
import type { Scene, SceneNode } from '../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';
import type { EventStoreFault } from '../../../infra/ports/event-store';

/** One document among all tenants'. */
export interface Place {
  readonly tenant: TenantId;
  readonly documentId: DocumentId;
}

/** What the metadata stream says at one of its revisions. */
export interface Standing {
  readonly state: 'none' | 'active' | 'trashed' | 'deleted';
  readonly title: string;
  /** -1 where there is no such stream. */
  readonly revision: number;
  readonly roleOf: (principalId: string) => Role | undefined;
}

export interface Access {
  /** As of a read that began after the question: what was taken away before it is not there any more. */
  readonly about: (place: Place) => Promise<Either<EventStoreFault, Standing>>;
  /** Tells of every change soon, in order; the answer ends it. */
  readonly watch: (place: Place, changed: (standing: Standing) => void) => () => void;
}

/** `snapshot-damaged`: it will never be read again, for it is not what its checksum says. The other passes. */
export type SnapshotFault = Fault<'snapshots-unavailable' | 'snapshot-damaged'>;

export interface ToTake {
  readonly place: Place;
  /** The committed version that it is of. */
  readonly version: number;
  /** What it goes on from; left out, from an empty scene. */
  readonly previous?: Snapshot;
  /** Since then. Nodes do not change: they may be written down while the scene goes on. */
  readonly changed: readonly SceneNode[];
  readonly removed: readonly NodeId[];
  /** As of that version; replaces what the one before said. */
  readonly clients: StoredClients;
}

export interface SnapshotStore {
  /** Puts its nodes into an empty scene, never holding the thread for long; answers the table of clients in it. */
  readonly load: (place: Place, snapshot: Snapshot, into: Scene) => Promise<Either<SnapshotFault, StoredClients>>;
  readonly take: (request: ToTake) => Promise<Either<SnapshotFault, Snapshot>>;
  /**
   * Of any version that there was, made from an earlier one and the log where there is none. `temporary`: what is stored for it goes after
   * a day, so nothing that is recorded may name it.
   */
  readonly at: (
    place: Place,
    version: number,
    use?: 'lasting' | 'temporary',
  ) => Promise<Either<SnapshotFault | EventStoreFault | Rejection<'version-unknown'>, Snapshot>>;
}
