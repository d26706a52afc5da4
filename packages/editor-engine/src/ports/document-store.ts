/** What outlives the page: pending edits, who made them, what the document was like, and edits that could not be made. */
import type { ClientId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { OutcomeReason } from '../../../../domain/editor/outcome';

/** One client of a document: a tab or a program, as long as its edits are kept. */
export interface StoredClient {
  readonly clientId: ClientId;
  /** The highest that was given to an operation. */
  readonly lastClientSeq: number;
  /** Of the ids of nodes it has made. */
  readonly lastNode: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** The specification's `PendingMutation`, of a whole operation. */
export interface StoredOperation {
  readonly clientId: ClientId;
  readonly operation: Operation;
}

/** An edit that was made here and is not in the document. */
export interface RecoveredEdit {
  readonly id: string;
  readonly operation: Operation;
  /** `history-replaced`: the log was put back to an earlier time, and does not have it. */
  readonly reason: OutcomeReason | 'unknown' | 'not-allowed' | 'history-replaced';
  /** It may be in the document all the same: nobody could be asked. */
  readonly isUncertain: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Committed operations, from one version on. */
export interface StoredFrame {
  readonly fromVersion: number;
  readonly operations: readonly Operation[];
}

/** One client's operation. */
export interface OperationKey {
  readonly clientId: ClientId;
  readonly clientSeq: number;
}

/** Where a scene stands: its version, and the operation that made it so, where that is known. */
export interface VersionStamp {
  readonly version: number;
  readonly opId?: OperationId;
}

export const versionStamp = (version: number, opId: OperationId | undefined): VersionStamp =>
  opId === undefined ? { version } : { version, opId };

/** Everything in it is kept, or nothing. */
export interface Change {
  readonly client?: StoredClient;
  /** Replaces one of the same client and number. */
  readonly pending?: readonly StoredOperation[];
  readonly settled?: readonly OperationKey[];
  /** Committed; kept for when what was committed is lost elsewhere. */
  readonly acknowledged?: readonly StoredOperation[];
  readonly released?: readonly OperationKey[];
  /** Nothing of what the document was like is true: goes first. */
  readonly isAnew?: boolean;
  readonly frames?: readonly StoredFrame[];
  readonly recovered?: readonly RecoveredEdit[];
  readonly discarded?: readonly string[];
  readonly forgotten?: readonly ClientId[];
}

/** The scene at a version, in chunks of JSON, and what was committed since. */
export interface StoredScene extends VersionStamp {
  readonly chunks: AsyncIterable<string>;
  readonly frames: readonly StoredFrame[];
}

/** Of one document and one person. */
export interface DocumentStore {
  /** Outlives the page, or the program. */
  readonly lasts: boolean;
  readonly clients: () => Promise<readonly StoredClient[]>;
  /** By their numbers. */
  readonly pendingOf: (clientId: ClientId) => Promise<readonly StoredOperation[]>;
  /** By their numbers. */
  readonly acknowledgedOf: (clientId: ClientId) => Promise<readonly StoredOperation[]>;
  readonly recovered: () => Promise<readonly RecoveredEdit[]>;
  readonly scene: () => Promise<StoredScene | undefined>;
  /** Resolves when it would survive the end of the process. */
  readonly write: (change: Change) => Promise<void>;
  /** Takes the place of the one before when all of it is there; frames up to that version go. */
  readonly replaceScene: (mark: VersionStamp, chunks: AsyncIterable<string>) => Promise<void>;
  /** Without a trace of it. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** Tells when what was kept may be gone, though it can be kept anew. */
  readonly onLost?: (listener: () => void) => void;
}
