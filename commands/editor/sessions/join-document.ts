/** Handles `join`: reads access, joins the document, and starts the outbound stream. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DocumentKey } from '../../../domain/editor/ids';
import { hasAtLeastRole, type Role } from '../../../domain/editor/roles';
import { negotiateSchema } from '../../../domain/editor/schema-versions';
import { type Fault, fault, type Rejection, reject } from '../../../domain/kernel/rejection';
import type { DocumentAccess } from '../../../infra/server/documents/document-access';
import { type StreamEnd, streamEnds } from '../../../infra/server/http/streaming/stream-end';
import type { CloseReason, DocumentHandle, JoinResult } from '../document-owner/document-handle';
import type { AccessSource } from '../ports';
import {
  type ClientSession,
  effectiveRole,
  type JoinedState,
  leaveRoom,
  type MessageOf,
  principalOf,
  sendError,
} from './client-session';
import { encodeMessage } from './outbound/message-encoding';
import { openOutboundStream } from './outbound/outbound-stream';
import { supportsCursorMoves } from './presence/presence-delta';
import type { Room, RoomSession } from './rooms';

const handleAccessChange = (session: ClientSession, current: JoinedState, access: DocumentAccess): void => {
  const { socket } = session;
  if (access.state !== 'active') return;
  const role = access.roleOf(principalOf(session));
  if (role === undefined) {
    socket.send(encodeMessage({ type: 'permissionChanged', role: 'none' }));
    socket.end(streamEnds.withdrawn);
    return;
  }
  const effective = effectiveRole(session, role);
  if (effective !== current.role) socket.send(encodeMessage({ type: 'permissionChanged', role: effective }));
  if (access.title !== current.title) socket.send(encodeMessage({ type: 'document', title: access.title }));
  Object.assign(current, { role: effective, title: access.title });
};

const streamEndOf = (reason: CloseReason): StreamEnd => {
  if (reason === 'trashed') return streamEnds.trashed;
  return reason === 'faulted' ? streamEnds.unavailable : streamEnds.moved;
};

const handleDocumentClosed = (session: ClientSession, reason: CloseReason): void => {
  const { socket } = session;
  leaveRoom(session);
  if (reason === 'trashed') sendError(session, { code: 'trashed', detail: 'The document was put into the trash.' });
  socket.end(streamEndOf(reason));
};

interface AdmittedJoin extends Admission {
  /** Negotiated schema version. */
  readonly schema: number;
}

interface JoinedClient extends JoinResult {
  readonly connectionId: string;
}

const createRoomSession = (
  session: ClientSession,
  room: Room,
  { message, joined }: { readonly message: MessageOf<'join'>; readonly joined: JoinedClient },
) => {
  const { socket, deps } = session;
  const leaving = new AbortController();
  const stream = openOutboundStream(
    {
      socket,
      document: room.document,
      snapshotBytes: room.snapshotBytes,
      metrics: deps.metrics,
      presenceMessage: room.presence.encodeAll,
      leaving: leaving.signal,
      failed: (error) => {
        deps.log.error({ error }, 'defect in the messages of a document to a client');
        socket.end(streamEnds.unavailable);
      },
    },
    message.lastCommittedVersion,
  );
  const roomSession: RoomSession = {
    clientId: joined.clientId,
    connectionId: joined.connectionId,
    principalId: principalOf(session),
    stream,
    supportsCursorMoves: supportsCursorMoves(message),
    onAccessChange: (access) => {
      if (session.joined?.roomSession === roomSession) handleAccessChange(session, session.joined, access);
    },
    onClosed: (reason) => handleDocumentClosed(session, reason),
  };
  return { roomSession, leaving };
};

interface JoinAttempt {
  readonly message: MessageOf<'join'>;
  readonly admitted: AdmittedJoin;
}

interface AcceptedJoin extends JoinAttempt {
  readonly joined: JoinResult;
}

const completeJoin = (session: ClientSession, room: Room, { message, joined, admitted }: AcceptedJoin) => {
  const { socket, deps, rooms } = session;
  const { access, schema } = admitted;
  const role = effectiveRole(session, admitted.role);
  // Each tab is a member of its own, and the same one after a reconnect.
  const connectionId = deps.clientIds.connectionOf(room.document, joined.clientId);
  socket.send(
    encodeMessage({
      type: 'joined',
      documentId: room.document.documentId,
      ...joined,
      role,
      title: access.title,
      connectionId,
      schemaVersion: schema,
      committedVersion: room.document.committedVersion(),
      expiresAt: session.token.expiresAt(),
    }),
  );
  const { roomSession, leaving } = createRoomSession(session, room, {
    message,
    joined: { ...joined, connectionId },
  });
  session.joined = {
    room,
    roomSession,
    schema,
    leaving,
    role,
    title: access.title,
    unacknowledged: 0,
  };
  rooms.join(room, roomSession);
  leaving.signal.addEventListener('abort', deps.metrics.joined(), { once: true });
};

const enterRoom = (session: ClientSession, document: DocumentHandle, { message, admitted }: JoinAttempt) => {
  const { rooms } = session;
  if (document.ended.aborted) return session.socket.end(streamEnds.moved);
  const { clientId, settledClientSeq = 0, lastCommittedVersion: knownVersion } = message;
  const principalId = principalOf(session);
  const hasRoom = rooms.checkCapacity(document, principalId);
  if (isLeft(hasRoom)) return sendError(session, hasRoom.left);
  const joined = document.join({
    principalId,
    mayEdit: hasAtLeastRole(effectiveRole(session, admitted.role), 'editor'),
    settledClientSeq,
    knownVersion,
    ...(clientId === undefined ? {} : { clientId }),
  });
  if (isLeft(joined)) sendError(session, joined.left);
  else completeJoin(session, rooms.of(document), { message, joined: joined.right, admitted });
};

const ownedElsewhere = {
  code: 'not-found',
  detail: 'Another copy of this service has the document; open a socket for it.',
} as const;

/** A document that is not open here is opened only for principals with access to it. */
const openForJoin = async (session: ClientSession, documentKey: DocumentKey) => {
  const { access, documents } = session.deps;
  if (documents.find(documentKey) !== undefined) return documents.open(documentKey);
  const admitted = await authorizeJoin(access, documentKey, principalOf(session));
  return isLeft(admitted) ? admitted : documents.open(documentKey);
};

export const handleJoin = async (session: ClientSession, message: MessageOf<'join'>): Promise<void> => {
  const { deps, socket, tenant } = session;
  session.joins += 1;
  const { joins } = session;
  leaveRoom(session);
  const isOver = (): boolean => socket.closed.aborted || session.joins !== joins;
  const schema = negotiateSchema(message.capabilities);
  if (isLeft(schema)) return sendError(session, schema.left);
  const documentKey = { tenant, documentId: message.documentId };
  const opened = await openForJoin(session, documentKey);
  if (isOver()) return;
  if (!isLeft(opened))
    // Opening may take long, so access is read again.
    return authorizeJoinWatched(deps.access, { place: documentKey, principalId: principalOf(session) }, (admitted) => {
      if (isOver()) return;
      if (isLeft(admitted)) sendError(session, admitted.left);
      else enterRoom(session, opened.right, { message, admitted: { ...admitted.right, schema: schema.right } });
    });
  if (opened.left.kind !== 'elsewhere') return sendError(session, opened.left);
  if (message.documentId === session.documentId) socket.end(streamEnds.moved);
  else sendError(session, ownedElsewhere);
};

export interface Admission {
  readonly role: Role;
  readonly access: DocumentAccess;
}

type AdmissionFailure = Rejection<'not-found' | 'trashed'> | Fault<'service-unavailable'>;

/** Without a role, the answer does not reveal whether the document exists. */
const decideAdmission = (access: DocumentAccess, principalId: string): Either<AdmissionFailure, Admission> => {
  const role = access.roleOf(principalId);
  if (role === undefined || access.state === 'none' || access.state === 'deleted')
    return reject('not-found', 'No such document is known here.');
  return access.state === 'trashed' ? reject('trashed', 'The document is in the trash.') : right({ role, access });
};

const authorizeJoin = async (
  { read }: Pick<AccessSource, 'read'>,
  documentKey: DocumentKey,
  principalId: string,
): Promise<Either<AdmissionFailure, Admission>> => {
  const found = await read(documentKey);
  if (isLeft(found)) return left(fault('service-unavailable', 'Documents cannot be looked up right now.'));
  return decideAdmission(found.right, principalId);
};

/**
 * Calls `enter` with the current access state. The watch starts before the read, so a change during the read is used,
 * and `enter` can start its own watch in the same turn without missing one.
 */
const authorizeJoinWatched = async (
  { read, watch }: AccessSource,
  { place: documentKey, principalId }: { readonly place: DocumentKey; readonly principalId: string },
  enter: (admitted: Either<AdmissionFailure, Admission>) => void,
): Promise<void> => {
  let latest: DocumentAccess | undefined;
  const unwatch = watch(documentKey, (access) => {
    latest = access;
  });
  try {
    const admitted = await authorizeJoin({ read }, documentKey, principalId);
    const isOld = !isLeft(admitted) && latest !== undefined && latest.revision > admitted.right.access.revision;
    enter(isOld ? decideAdmission(latest as DocumentAccess, principalId) : admitted);
  } finally {
    unwatch();
  }
};
