/**
 * Messages from server to client on a document's WebSocket: the specification's, with additional fields and messages.
 */
import * as t from 'io-ts';
import { finite, integer, record, text } from '../../kernel/codec';
import { ClientId, DocumentId, OperationId } from '../ids';
import { Operation } from '../operation';
import { Outcome } from '../outcome';
import { Role } from '../roles';
import { Snapshot } from '../snapshot/snapshot';
import { ConnectionId, CursorMove, Presence } from './presence';

/** One piece of a snapshot, by signed URL or inline. */
export const SnapshotPiece = record(
  'SnapshotPiece',
  { key: text('PieceKey', { examples: ['documents/main/9b2e/piece'], maxLength: 512 }) },
  {
    url: text('SignedUrl', {
      examples: ['https://septet.example.org/blobs/piece?signature=c2lnbmVk'],
      maxLength: 4_096,
    }),
    base64: text('PieceBytes', { examples: ['H4sIAAAAAAAAA6tWKkktLlGyUkoEAP+Jp1cPAAAA'], maxLength: 200_000 }),
  },
);

const socketErrorCodes = [
  'not-found',
  'forbidden',
  'trashed',
  'client-too-old',
  'client-too-new',
  'client-id-taken',
  'client-seq-gap',
  'batch-too-large',
  'malformed',
  'not-joined',
  'service-unavailable',
] as const;
export type SocketErrorCode = (typeof socketErrorCodes)[number];

export const serverMessages = {
  /** The answer to a join, before any other message. */
  joined: record(
    'Joined',
    {
      type: t.literal('joined'),
      documentId: DocumentId,
      clientId: ClientId,
      connectionId: ConnectionId,
      role: Role,
      title: text('Title', { maxLength: 200, minLength: 0 }),
      /** The current committed version; everything up to it follows. */
      committedVersion: integer(0),
      /** The client's highest settled sequence, including what it reported itself. */
      lastClientSeq: integer(0),
      /** The negotiated version. */
      schemaVersion: integer(1),
    },
    {
      /** Milliseconds since 1970 at which the last token of the client expires; it sends a fresh one before. */
      expiresAt: finite,
      /** The client's highest committed sequence. */
      committedClientSeq: integer(0),
      /** At this version, everything settled so far is committed or was dropped. */
      settledVersion: integer(0),
      /**
       * Sequences after `settledClientSeq` that were committed or dropped as no-ops; complete for versions after
       * `since`.
       */
      came: record('CameToSomething', { since: integer(0), clientSeqs: t.array(integer(1), 'ClientSequence') }),
      /** The operation of `committedVersion`. */
      lastOpId: OperationId,
      /**
       * The operation of the version in the join, as the log has it. If it differs from the client's, the histories
       * diverged.
       */
      opIdThere: OperationId,
    },
  ),
  snapshot: record(
    'SentSnapshot',
    { type: t.literal('snapshot'), snapshot: Snapshot, operationTail: t.array(Operation, 'OperationList') },
    { pieces: t.array(SnapshotPiece, 'SnapshotPieces') },
  ),
  operations: record('CommittedOperations', {
    type: t.literal('operations'),
    fromVersion: integer(1),
    toVersion: integer(1),
    operations: t.array(Operation, 'OperationList'),
  }),
  ack: record(
    'Ack',
    {
      type: t.literal('ack'),
      clientSeq: integer(1),
      committedVersion: integer(0),
      opIds: t.array(OperationId, 'OperationIds'),
    },
    { results: t.array(Outcome, 'Outcomes') },
  ),
  rebaseRequired: record('RebaseRequired', { type: t.literal('rebaseRequired'), snapshotVersion: integer(0) }),
  presence: record(
    'MembersPresence',
    { type: t.literal('presence'), members: t.array(Presence, 'Members') },
    { moved: t.array(CursorMove, 'Moves') },
  ),
  permissionChanged: record('PermissionChanged', {
    type: t.literal('permissionChanged'),
    /** `none`: access was withdrawn. */
    role: text('RoleOrNone', { maxLength: 16 }),
  }),
  rateLimited: record(
    'RateLimited',
    { type: t.literal('rateLimited'), retryAfterMs: integer(0) },
    {
      /** Sequence of the batch that was not accepted; omitted for presence. */
      clientSeq: integer(1),
    },
  ),
  /** The title or the trash state changed. */
  document: record('DocumentChanged', {
    type: t.literal('document'),
    title: text('Title', { maxLength: 200, minLength: 0 }),
  }),
  error: record(
    'SocketError',
    {
      type: t.literal('error'),
      code: t.keyof(
        Object.fromEntries(socketErrorCodes.map((code) => [code, null])) as Record<SocketErrorCode, null>,
        'SocketRefusal',
      ),
      detail: text('Detail', { maxLength: 1_000 }),
    },
    {
      /** Sequence of the rejected batch. */
      clientSeq: integer(1),
      /** The next accepted sequence, after a gap. */
      expectedClientSeq: integer(1),
      pointer: text('Pointer', { maxLength: 1_000, minLength: 0 }),
    },
  ),
  pong: record('Pong', { type: t.literal('pong') }),
} as const;
type Types = keyof typeof serverMessages;
/** All messages, or those of a type. */
export type ServerMessage<Type extends Types = Types> = {
  [Each in Type]: t.TypeOf<(typeof serverMessages)[Each]>;
}[Type];
