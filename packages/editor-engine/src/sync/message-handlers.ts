/** One handler per server message. */
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import { hasAtLeastRole, Role } from '../../../../domain/editor/roles';
import { minimumSchemaVersion } from '../../../../domain/editor/schema-versions';
import { versionStamp } from '../ports/document-store';
import { compareHistory, moveAllDivergedToUnapplied } from './history-check';
import { receiveFrame, receiveSnapshot, resetReplica } from './inbound-operations';
import { applyAck, applyJoined, handleRateLimit, handleRejection, sendNext } from './outbox';
import { rejectSession, type Session } from './session';

type Handlers = { readonly [Type in ServerMessage['type']]: (session: Session, message: ServerMessage<Type>) => void };

const mayEdit = (role: Role | undefined): boolean => role !== undefined && hasAtLeastRole(role, 'editor');

const resumeSession = (session: Session, message: ServerMessage<'joined'>): void => {
  const { clientId, lastClientSeq, role, title, connectionId, committedVersion, lastOpId } = message;
  session.tracker.replica.schema = message.schemaVersion;
  session.listener.onClientIssued(clientId, lastClientSeq);
  if (session.clientId !== clientId) session.sender = undefined;
  session.inbound.head = versionStamp(committedVersion, lastOpId);
  Object.assign(session, {
    clientId,
    role,
    title,
    connectionId,
    committedVersion,
    isJoined: true,
    reason: undefined,
  });
  session.sender ??= session.createOutbox(clientId);
  session.sender.mayEdit = mayEdit(role);
  applyJoined(session.sender, message);
  if (!session.sender.mayEdit) session.listener.onRoleLost();
  sendNext(session.sender);
};

const rejoinFromStart = ({ inbound, connection }: Session): void => {
  resetReplica(inbound);
  connection.restart('started-over');
};

const continueSession = (session: Session, message: ServerMessage<'joined'>): void => {
  const { tracker, joinStamp, fault } = session;
  const lineage = compareHistory(tracker, joinStamp, message);
  if (lineage === 'same') {
    resumeSession(session, message);
    return;
  }
  if (lineage === 'other') {
    fault('history', new Error('The document is not what it was here: its log was restored to an earlier time.'));
    moveAllDivergedToUnapplied(tracker, message);
  }
  rejoinFromStart(session);
};

const handleJoined = (session: Session, message: ServerMessage<'joined'>): void => {
  if (message.schemaVersion < minimumSchemaVersion) rejectSession(session, 'server-too-old');
  else continueSession(session, message);
};

const handlePermission = (session: Session, { role }: ServerMessage<'permissionChanged'>): void => {
  const { sender, listener } = session;
  session.role = Role.is(role) ? role : undefined;
  if (sender !== undefined) sender.mayEdit = mayEdit(session.role);
  if (session.role === undefined) {
    listener.onRoleLost();
    rejectSession(session, 'forbidden');
  } else if (sender?.mayEdit === true) sendNext(sender);
  // The batch in flight will still be acknowledged.
  else if (sender?.batch === undefined) listener.onRoleLost();
};

const handleAck = ({ sender, listener }: Session, message: ServerMessage<'ack'>): void => {
  if (sender === undefined) return;
  applyAck(sender, message);
  if (!sender.mayEdit && sender.batch === undefined) listener.onRoleLost();
};

/** The client id belongs to another principal, so its operations cannot be sent. */
const dropClientId = (session: Session): void => {
  const { clientId, connection, listener } = session;
  if (clientId !== undefined) listener.onClientRevoked(clientId);
  Object.assign(session, { clientId: undefined, sender: undefined });
  connection.restart('client-id-taken');
};

const handleError = (session: Session, message: ServerMessage<'error'>): void => {
  const { code } = message;
  switch (code) {
    case 'not-found':
    case 'forbidden':
    case 'trashed':
    case 'client-too-old':
      rejectSession(session, code);
      break;
    case 'client-too-new':
      rejectSession(session, 'server-too-old');
      break;
    case 'client-id-taken':
      dropClientId(session);
      break;
    case 'not-joined':
      session.connection.restart(code);
      break;
    case 'client-seq-gap':
    case 'batch-too-large':
    case 'malformed':
    case 'service-unavailable':
      if (session.sender?.batch !== undefined) handleRejection(session.sender, message);
      else if (!session.isJoined) session.connection.restart(code);
      break;
  }
};

const handlers: Handlers = {
  joined: handleJoined,
  snapshot: ({ inbound }, message) => void receiveSnapshot(inbound, message),
  operations: ({ inbound }, message) => receiveFrame(inbound, message),
  ack: handleAck,
  presence: ({ listener }, { members, moved }) => listener.onPresence(members, moved),
  permissionChanged: handlePermission,
  rateLimited: ({ sender }, message) => (sender === undefined ? undefined : handleRateLimit(sender, message)),
  document: (session, { title }) => {
    session.title = title;
  },
  error: handleError,
  // The snapshot follows.
  rebaseRequired: () => undefined,
  pong: () => undefined,
};

export const handleMessage = <Type extends ServerMessage['type']>(
  session: Session,
  message: ServerMessage<Type>,
): void => {
  const handler = handlers[message.type as Type];
  handler(session, message);
  session.listener.onChange();
};
