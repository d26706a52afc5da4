/** What a document's owner says on its WebSocket: the specification's messages, and fields and messages beside them. */
import * as t from 'io-ts';
import { finite, integer, record, text } from '../../kernel/codec';
import { ClientId, DocumentId, OperationId } from '../ids';
import { Operation } from '../operation';
import { Outcome } from '../outcome';
import { Role } from '../roles';
import { Snapshot } from '../snapshot/snapshot';
import { ConnectionId, CursorMove, Presence } from './presence';

/** One piece of a snapshot, to be had by a signed URL, or here. */
export const SnapshotPiece = record(
  'SnapshotPiece',
  { key: text('PieceKey', { maxLength: 512 }) },
  { url: text('SignedUrl', { maxLength: 4_096 }), base64: text('PieceBytes', { maxLength: 200_000 }) },
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
  /** Answers a join, before anything else of the document. */
  joined: record(
    'Joined',
    {
      type: t.literal('joined'),
      documentId: DocumentId,
      clientId: ClientId,
      connectionId: ConnectionId,
      role: Role,
      title: text('Title', { maxLength: 200, minLength: 0 }),
      /** Committed by now; everything up to it follows. */
      committedVersion: integer(0),
      /** The highest of this client that is settled, as far as it has said so itself. */
      lastClientSeq: integer(0),
      /** The highest that both speak. */
      schemaVersion: integer(1),
    },
    {
      /** Milliseconds since 1970: when the token ends that was shown last; another one is to be shown before. */
      expiresAt: finite,
      /** The highest of this client that is in the log, whatever it said itself. */
      committedClientSeq: integer(0),
      /** With this version everything is committed that is settled so far and comes to anything. */
      settledVersion: integer(0),
      /** Of this client after what it said is settled: those that are committed, or changed nothing, if after version `since`. */
      came: record('CameToSomething', { since: integer(0), clientSeqs: t.array(integer(1), 'ClientSequence') }),
      /** The operation of `committedVersion`. */
      lastOpId: OperationId,
      /** The operation of the version that the join named, as it is in the log: another one than the client's, and it has another history. */
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
    /** `none`: nothing any more. */
    role: text('RoleOrNone', { maxLength: 16 }),
  }),
  rateLimited: record(
    'RateLimited',
    { type: t.literal('rateLimited'), retryAfterMs: integer(0) },
    {
      /** Of the batch that was not taken; left out, presence was not. */
      clientSeq: integer(1),
    },
  ),
  /** `title` or trash changed. */
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
      /** Of the batch that was refused whole. */
      clientSeq: integer(1),
      /** What the next operation must carry, after a gap. */
      expectedClientSeq: integer(1),
      pointer: text('Pointer', { maxLength: 1_000, minLength: 0 }),
    },
  ),
  pong: record('Pong', { type: t.literal('pong') }),
} as const;
type Types = keyof typeof serverMessages;
/** Any of them, or those of a type. */
export type ServerMessage<Type extends Types = Types> = {
  [Each in Type]: t.TypeOf<(typeof serverMessages)[Each]>;
}[Type];
