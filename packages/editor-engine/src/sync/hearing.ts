/** What a session does about each thing that its owner says. */
import type { FromServer } from '../../../../domain/editor/messages/from-server';
import { mayAs, Role } from '../../../../domain/editor/roles';
import { oldestSchema } from '../../../../domain/editor/schemas';
import { markOf } from '../ports/store';
import { heardFrame, heardSnapshot, startOver } from './incoming';
import { lineageOf, setAllAside } from './lineage';
import { refused } from './refused';
import { acknowledged, flush, joined, limited } from './sender';
import { refuse, type Session } from './session';

type Handlers = { readonly [Type in FromServer['type']]: (session: Session, message: FromServer<Type>) => void };

const mayEdit = (role: Role | undefined): boolean => role !== undefined && mayAs(role, 'editor');

const enter = (session: Session, message: FromServer<'joined'>): void => {
  const { clientId, lastClientSeq, role, title, connectionId, committedVersion, lastOpId } = message;
  session.ledger.replica.schema = message.schemaVersion;
  session.tell.named(clientId, lastClientSeq);
  if (session.clientId !== clientId) session.sender = undefined;
  session.incoming.head = markOf(committedVersion, lastOpId);
  Object.assign(session, {
    ...{ clientId, role, title, connectionId, committedVersion },
    isJoined: true,
    reason: undefined,
  });
  session.sender ??= session.makeSender(clientId);
  session.sender.mayEdit = mayEdit(role);
  joined(session.sender, message);
  if (!session.sender.mayEdit) session.tell.demoted();
  flush(session.sender);
};

const beginAnew = ({ incoming, connection }: Session): void => {
  startOver(incoming);
  connection.restart('started-over');
};

const goOn = (session: Session, message: FromServer<'joined'>): void => {
  const { ledger, named, fault } = session;
  const lineage = lineageOf(ledger, named, message);
  if (lineage === 'same') {
    enter(session, message);
    return;
  }
  if (lineage === 'other') {
    fault('history', new Error('The document is not what it was here: its log was put back to an earlier time.'));
    setAllAside(ledger, message);
  }
  beginAnew(session);
};

const heardJoined = (session: Session, message: FromServer<'joined'>): void => {
  if (message.schemaVersion < oldestSchema) refuse(session, 'server-too-old');
  else goOn(session, message);
};

const heardPermission = (session: Session, { role }: FromServer<'permissionChanged'>): void => {
  const { sender, tell } = session;
  session.role = Role.is(role) ? role : undefined;
  if (sender !== undefined) sender.mayEdit = mayEdit(session.role);
  if (session.role === undefined) {
    tell.demoted();
    refuse(session, 'forbidden');
  } else if (sender?.mayEdit === true) flush(sender);
  // What is under way is answered yet.
  else if (sender?.batch === undefined) tell.demoted();
};

const heardAck = ({ sender, tell }: Session, message: FromServer<'ack'>): void => {
  if (sender === undefined) return;
  acknowledged(sender, message);
  if (!sender.mayEdit && sender.batch === undefined) tell.demoted();
};

/** Somebody else's, or it would not be refused: what was made under it cannot be sent. */
const unname = (session: Session): void => {
  const { clientId, connection, tell } = session;
  if (clientId !== undefined) tell.unnamed(clientId);
  Object.assign(session, { clientId: undefined, sender: undefined });
  connection.restart('client-id-taken');
};

const heardError = (session: Session, message: FromServer<'error'>): void => {
  const { code } = message;
  switch (code) {
    case 'not-found':
    case 'forbidden':
    case 'trashed':
    case 'client-too-old':
      refuse(session, code);
      break;
    case 'client-too-new':
      refuse(session, 'server-too-old');
      break;
    case 'client-id-taken':
      unname(session);
      break;
    case 'not-joined':
      session.connection.restart(code);
      break;
    case 'client-seq-gap':
    case 'batch-too-large':
    case 'malformed':
    case 'service-unavailable':
      if (session.sender?.batch !== undefined) refused(session.sender, message);
      else if (!session.isJoined) session.connection.restart(code);
      break;
  }
};

const handlers: Handlers = {
  joined: heardJoined,
  snapshot: ({ incoming }, message) => void heardSnapshot(incoming, message),
  operations: ({ incoming }, message) => heardFrame(incoming, message),
  ack: heardAck,
  presence: ({ tell }, { members, moved }) => tell.members(members, moved),
  permissionChanged: heardPermission,
  rateLimited: ({ sender }, message) => (sender === undefined ? undefined : limited(sender, message)),
  document: (session, { title }) => {
    session.title = title;
  },
  error: heardError,
  // The snapshot that follows says it all.
  rebaseRequired: () => undefined,
  pong: () => undefined,
};

export const hear = <Type extends FromServer['type']>(session: Session, message: FromServer<Type>): void => {
  const handler = handlers[message.type as Type];
  handler(session, message);
  session.tell.changed();
};
