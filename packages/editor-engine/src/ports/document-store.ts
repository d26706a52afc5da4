/** Port: what outlives the page. Pending operations, clients, the committed scene, and unapplied edits. */
import type { ClientId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { OutcomeReason } from '../../../../domain/editor/outcome';

/** One client of a document, as long as its edits are stored. */
export interface StoredClient {
  readonly clientId: ClientId;
  /** The highest sequence used. */
  readonly lastClientSeq: number;
  /** The counter of its node ids. */
  readonly lastNode: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** The specification's `PendingMutation`, with the whole operation. */
export interface StoredOperation {
  readonly clientId: ClientId;
  readonly operation: Operation;
}

/** An edit that did not get into the document. */
export interface RecoveredEdit {
  readonly id: string;
  readonly operation: Operation;
  /** `history-replaced`: the server's log was restored to an earlier time and lacks it. */
  readonly reason: OutcomeReason | 'unknown' | 'not-allowed' | 'history-replaced';
  /** It may be in the document nevertheless: the outcome is unknown. */
  readonly isUncertain: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Committed operations from a version on. */
export interface StoredFrame {
  readonly fromVersion: number;
  readonly operations: readonly Operation[];
}

/** Identifies one client's operation. */
export interface OperationKey {
  readonly clientId: ClientId;
  readonly clientSeq: number;
}

/** Version of a scene, and the operation that made it, if known. */
export interface VersionStamp {
  readonly version: number;
  readonly opId?: OperationId;
}

export const versionStamp = (version: number, opId: OperationId | undefined): VersionStamp =>
  opId === undefined ? { version } : { version, opId };

/** Written completely or not at all. */
export interface StoreChange {
  readonly client?: StoredClient;
  /** Replaces the one with the same client and sequence. */
  readonly pending?: readonly StoredOperation[];
  readonly settled?: readonly OperationKey[];
  /** Committed own operations, stored in case the server's log is restored to an earlier time. */
  readonly acknowledged?: readonly StoredOperation[];
  readonly released?: readonly OperationKey[];
  /** Deletes the stored scene and frames first. */
  readonly replacesScene?: boolean;
  readonly frames?: readonly StoredFrame[];
  readonly recovered?: readonly RecoveredEdit[];
  readonly discarded?: readonly string[];
  readonly forgotten?: readonly ClientId[];
}

/** The scene at a version, in chunks of JSON, and the operations after it. */
export interface StoredScene extends VersionStamp {
  readonly chunks: AsyncIterable<string>;
  readonly frames: readonly StoredFrame[];
}

/** For one document and one user. */
export interface DocumentStore {
  /** Whether it outlives the page or the program. */
  readonly isDurable: boolean;
  readonly clients: () => Promise<readonly StoredClient[]>;
  /** Ordered by sequence. */
  readonly pendingOf: (clientId: ClientId) => Promise<readonly StoredOperation[]>;
  /** Ordered by sequence. */
  readonly acknowledgedOf: (clientId: ClientId) => Promise<readonly StoredOperation[]>;
  readonly recovered: () => Promise<readonly RecoveredEdit[]>;
  readonly scene: () => Promise<StoredScene | undefined>;
  /** Resolves when the change is durable. */
  readonly write: (change: StoreChange) => Promise<void>;
  /** Replaces the previous scene once all chunks are written; frames up to that version are deleted. */
  readonly replaceScene: (mark: VersionStamp, chunks: AsyncIterable<string>) => Promise<void>;
  /** Deletes everything. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** Called when stored data may be lost, though the store works again. */
  readonly onLost?: (listener: () => void) => void;
}
