/** Contract between document owners and their callers: sessions and routes. */
import type { Either } from 'fp-ts/Either';
import type { ClientId, DocumentKey, OperationId } from '../../../domain/editor/ids';
import type { Operation } from '../../../domain/editor/operation';
import type { Outcome } from '../../../domain/editor/outcome';
import type { Scene } from '../../../domain/editor/scene/scene';
import type { SchemaMismatch } from '../../../domain/editor/schema-versions';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';
import type { Actor } from '../../kernel/handle-request';
import type { ClientIdRejection } from './client-ids';

/** Another process owns the document; the caller forwards its request to `address`. */
export interface OwnedElsewhere {
  readonly kind: 'elsewhere';
  readonly address: string;
}

/** Retryable: another process may own the document by then. */
export type Unavailable = Fault<'service-unavailable'>;

export type OpenFailure = OwnedElsewhere | Rejection<'not-found' | 'trashed'> | Unavailable;

/**
 * Why a document was closed here. `fenced`: another process took ownership. `lease-lost`: another process may have,
 * and the log could not be read. `faulted`: an append's outcome is unknown, or the log cannot be read. Clients may
 * reconnect at once, except after `trashed`.
 */
export type CloseReason = 'fenced' | 'lease-lost' | 'faulted' | 'unloaded' | 'draining' | 'trashed';

export interface JoinRequest {
  /** If omitted, a new id is issued. */
  readonly clientId?: ClientId;
  readonly principalId: string;
  /** Without it, the owner records nothing about the client, which cannot change anything. */
  readonly mayEdit: boolean;
  /** The highest sequence that the client knows to be settled; 0 if none. */
  readonly settledClientSeq: number;
  /** The version that the client has; if omitted, none. */
  readonly knownVersion?: number;
}

/** A client's settled operations that were committed, or dropped as no-ops. */
export interface CommittedSequences {
  /** Complete for operations committed after this version. */
  readonly since: number;
  readonly clientSeqs: number[];
}

export interface JoinResult {
  /** At this version, every operation settled so far is committed or was dropped. */
  readonly settledVersion: number;
  /** Omitted if the client itself named everything that is settled. */
  readonly came?: CommittedSequences;
  readonly clientId: ClientId;
  /** The highest settled sequence; the client continues with the next one. */
  readonly lastClientSeq: number;
  /** The highest committed sequence. */
  readonly committedClientSeq: number;
  /** Id of the operation that made the committed version; omitted if unknown. */
  readonly lastOpId?: OperationId;
  /** Id of the operation that made the client's version. */
  readonly opIdThere?: OperationId;
}

export interface Submission {
  readonly clientId: ClientId;
  readonly principalId: string;
  /** Of the caller, with the delegation by which it acts. Absent: the principal in its own right. */
  readonly actor?: Actor;
  /** Schema version that the client reads and writes. */
  readonly schema: number;
  /** Decoded, with consecutive `clientSeq`. The owner sets the actor. */
  readonly operations: readonly Operation[];
  readonly correlationId?: string;
  /**
   * The only batch of a client whose id the owner derived, so the id needs no proof. If the batch is rejected, its
   * sequence is not consumed, and it may be retried.
   */
  readonly isOnce?: true;
}

export interface SubmitResult {
  readonly committedVersion: number;
  /** One per operation, in order. */
  readonly results: readonly Outcome[];
}

/** The whole batch is rejected, and nothing of it is settled. */
export type BatchRefusal =
  | Rejection<'batch-too-large' | 'malformed' | 'trashed' | 'not-found' | SchemaMismatch['code']>
  | ClientIdRejection
  | (Rejection<'client-seq-gap'> & { readonly expectedClientSeq: number })
  | Unavailable;

export interface RestoreRequest {
  readonly version: number;
  readonly principalId: string;
  readonly actor?: Actor;
  readonly correlationId?: string;
  /** A retry with the same id is executed once. */
  readonly commandId: string;
}

export interface DocumentHandle extends DocumentKey {
  readonly epoch: number;
  readonly committedVersion: () => number;
  /** A new id on each call, for a principal that may edit. */
  readonly issueClientId: (principalId: string) => ClientId;
  /** The id of a principal's HTTP batches that name none. Always the same. */
  readonly requestClientId: (principalId: string) => ClientId;
  readonly join: (request: JoinRequest) => Either<Rejection<'client-id-taken'>, JoinResult>;
  /** Resolves when the whole batch is in the log. After a fault the outcome is unknown: send the same batch again. */
  readonly submit: (submission: Submission) => Promise<Either<BatchRefusal, SubmitResult>>;
  /** The caller checks roles before; the owner checks them again. */
  readonly restore: (
    request: RestoreRequest,
  ) => Promise<Either<BatchRefusal | Rejection<'version-unknown' | 'forbidden'>, SubmitResult>>;
  /**
   * Calls the listener for each broadcast, in order, after it is in the log. Returns the function that ends it. The
   * document stays open while it has subscribers.
   */
  readonly subscribe: (listener: (broadcast: Broadcast) => void) => () => void;
  /** For a client at a known version; 0 for none. */
  readonly catchUp: (knownVersion: number) => CatchUp;
  /** Frames after a version; undefined if the backlog no longer has them. */
  readonly framesAfter: (version: number) => readonly OperationFrame[] | undefined;
  /** The newest snapshot; undefined before the first. */
  readonly snapshot: () => Snapshot | undefined;
  /** Read-only, and only within the current turn: it changes in place and may be ahead of the log. */
  readonly scene: () => Scene;
  /** Aborted with a `CloseReason`. */
  readonly ended: AbortSignal;
}

export interface DocumentRegistry {
  /**
   * Opens the document unless another process owns it. `instead` is the address of an owner that did not answer,
   * whose lease is taken.
   */
  readonly open: (documentKey: DocumentKey, instead?: string) => Promise<Either<OpenFailure, DocumentHandle>>;
  /** Returns the handle if the document is open here; does not open it. */
  readonly find: (documentKey: DocumentKey) => DocumentHandle | undefined;
  /** Another owner appended `OwnershipTaken` to the stream; an earlier ownership here ends. */
  readonly handleTakeover: (stream: string, epoch: number) => void;
  /** Takeovers may have been missed: checks all open documents against the log. */
  readonly verifyOwnership: () => void;
  /** Completes queued batches, takes snapshots and releases all leases. Opens no more documents. */
  readonly close: () => Promise<void>;
}

/** What a document's subscribers receive. */

/** Consecutive committed operations. */
export interface OperationFrame {
  readonly kind: 'operations';
  readonly fromVersion: number;
  readonly toVersion: number;
  /** JSON of each operation, serialized once for all subscribers. */
  readonly operations: readonly string[];
}

/** A restore replaced the scene by that of the snapshot, whose version is the new one. */
export interface SceneReplaced {
  readonly kind: 'rebased';
  readonly snapshot: Snapshot;
}

export type Broadcast = OperationFrame | SceneReplaced;

/** What a client needs to reach the committed version. */
export interface CatchUp {
  /** The snapshot to start with; if omitted, the client starts with what it has. */
  readonly snapshot?: Snapshot;
  /** The client must discard its scene; it receives `rebaseRequired` first. */
  readonly rebase: boolean;
  /** Frames after the snapshot, or after the client's version. */
  readonly frames: readonly OperationFrame[];
  readonly committedVersion: number;
}
