/** Documents that this process owns, as sessions and routes meet them. */
import type { Either } from 'fp-ts/Either';
import type { ClientId, OperationId } from '../../../domain/editor/ids';
import type { Operation } from '../../../domain/editor/operation';
import type { Outcome } from '../../../domain/editor/outcome';
import type { Scene } from '../../../domain/editor/scene/scene';
import type { SchemaMismatch } from '../../../domain/editor/schema-versions';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import type { DocumentKey } from '../../../domain/editor/streams';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';

/** Another process has it: the question is to be passed on to there. */
export interface OwnedElsewhere {
  readonly kind: 'elsewhere';
  readonly address: string;
}

/** Try again, a little later: perhaps another process has it by then. */
export type Unavailable = Fault<'service-unavailable'>;

export type OpenFailure = OwnedElsewhere | Rejection<'not-found' | 'trashed'> | Unavailable;

/**
 * Why a document is with this process no longer. `fenced`: another one took it over. `lease-lost`: another one may have, and it could not
 * be told. `faulted`: what was committed is not known, or cannot be read. Clients of all but the last may come back at once.
 */
export type CloseReason = 'fenced' | 'lease-lost' | 'faulted' | 'unloaded' | 'draining' | 'trashed';

export interface JoinRequest {
  /** Left out, a new one is issued. */
  readonly clientId?: ClientId;
  readonly principalId: string;
  /** Where it is not set nothing is kept of the client: it changes nothing. */
  readonly mayEdit: boolean;
  /** The highest of it that the client knows to be settled; 0 when none is. */
  readonly settledClientSeq: number;
  /** What it has of the document; left out, nothing. */
  readonly knownVersion?: number;
}

/** Of one client, what is settled and is committed, or changed nothing as it was so already; what came before is not known any more. */
export interface CommittedSequences {
  /** All after this version is known. */
  readonly since: number;
  readonly clientSeqs: number[];
}

export interface JoinResult {
  /** Everything that is settled by now is committed with this version, or comes to nothing. */
  readonly settledVersion: number;
  /** Left out where the client said itself what is settled. */
  readonly came?: CommittedSequences;
  readonly clientId: ClientId;
  /** Everything up to here is settled: the next operation's is one more. */
  readonly lastClientSeq: number;
  /** In the log. */
  readonly committedClientSeq: number;
  /** Of the committed version; left out where it is not known. */
  readonly lastOpId?: OperationId;
  /** Of the version that the client has. */
  readonly opIdThere?: OperationId;
}

export interface Submission {
  readonly clientId: ClientId;
  readonly principalId: string;
  /** That the client can write and read. */
  readonly schema: number;
  /** Decoded; `clientSeq` one more each. The actor is set by the owner. */
  readonly operations: readonly Operation[];
  readonly correlationId?: string;
  /** Nothing else comes of this client: what is refused of it is not settled, and may be asked for again. */
  readonly isOnce?: true;
}

export interface SubmitResult {
  readonly committedVersion: number;
  /** One for each operation, in their order. */
  readonly results: readonly Outcome[];
}

/** The whole batch is refused: nothing of it is settled. */
export type BatchRefusal =
  | Rejection<'client-id-taken' | 'batch-too-large' | 'malformed' | 'trashed' | 'not-found' | SchemaMismatch['code']>
  | (Rejection<'client-seq-gap'> & { readonly expectedClientSeq: number })
  | Unavailable;

export interface RestoreRequest {
  readonly version: number;
  readonly principalId: string;
  readonly correlationId?: string;
  /** Said again with the same one, it is done once. */
  readonly commandId: string;
}

export interface DocumentHandle extends DocumentKey {
  readonly epoch: number;
  readonly committedVersion: () => number;
  readonly join: (request: JoinRequest) => Either<Rejection<'client-id-taken'>, JoinResult>;
  /** Answers when all of it is in the log. Of a fault nothing is known: the same batch is to be sent again. */
  readonly submit: (submission: Submission) => Promise<Either<BatchRefusal, SubmitResult>>;
  /** Roles are the caller's to check before, and checked here once more. */
  readonly restore: (
    request: RestoreRequest,
  ) => Promise<Either<BatchRefusal | Rejection<'version-unknown' | 'forbidden'>, SubmitResult>>;
  /** Tells what is committed from now on, in order, each when it is in the log. The answer ends it. While there is one the document stays. */
  readonly subscribe: (listener: (told: Broadcast) => void) => () => void;
  /** For somebody who knows everything up to a version, or nothing (0). */
  readonly catchUp: (knownVersion: number) => CatchUp;
  /** What was committed after a version; undefined where that cannot be told by operations any more. */
  readonly framesAfter: (version: number) => readonly OperationFrame[] | undefined;
  /** The newest one; undefined while the log is all there is. */
  readonly snapshot: () => Snapshot | undefined;
  /** For looking only, and only within the same turn: it changes in place, and may be ahead of what is committed. */
  readonly scene: () => Scene;
  /** Aborted with an `EndReason` as its reason. */
  readonly ended: AbortSignal;
}

export interface DocumentRegistry {
  /** Takes it, unless another process has it; also from one whose address is `instead`, where nobody was found. */
  readonly open: (documentKey: DocumentKey, instead?: string) => Promise<Either<OpenFailure, DocumentHandle>>;
  /** Without taking it. */
  readonly find: (documentKey: DocumentKey) => DocumentHandle | undefined;
  /** Somebody became the owner of what is in that stream, perhaps this process: whoever was before lets go. */
  readonly handleTakeover: (stream: string, epoch: number) => void;
  /** Any may have been taken over unheard: the log is asked. */
  readonly verifyOwnership: () => void;
  /** Finishes what is under way, keeps what there is, lets others have them. Nothing is opened any more. */
  readonly close: () => Promise<void>;
}

/** What those who have a document open are told of it. */

/** Committed operations, one after the other, in the order of versions. */
export interface OperationFrame {
  readonly kind: 'operations';
  readonly fromVersion: number;
  readonly toVersion: number;
  /** The JSON of each, made once for all who are told. */
  readonly operations: readonly string[];
}

/** An earlier version was put back: the scene is that of the snapshot, whose version is the new one. */
export interface SceneReplaced {
  readonly kind: 'rebased';
  readonly snapshot: Snapshot;
}

export type Broadcast = OperationFrame | SceneReplaced;

/** What somebody needs to be at the committed version. */
export interface CatchUp {
  /** Begin with this one; left out, with what is there, or with nothing. */
  readonly snapshot?: Snapshot;
  /** What the client had is of no use: it is told so before. */
  readonly rebase: boolean;
  /** After the snapshot, or after what the client has. */
  readonly frames: readonly OperationFrame[];
  readonly committedVersion: number;
}
