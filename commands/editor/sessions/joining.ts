/** A client joins a document: its rights are read each time, then it is sent what it lacks. */
import { isLeft } from 'fp-ts/Either';
import { mayAs } from '../../../domain/editor/roles';
import { commonSchema } from '../../../domain/editor/schemas';
import type { DocumentKey } from '../../../domain/editor/streams';
import type { DocumentAccess } from '../../../infra/documents/document-access';
import { ends, type StreamEnd } from '../../../infra/http/ends';
import type { EndReason, Joined, OpenDocument } from '../owner/types';
import { type Admitted, admit, admitWatched } from './admitting';
import { openFeed } from './feed';
import { readsMoves } from './moving';
import type { Room, Seat } from './rooms';
import { principalOf, refuse, type Seated, type Session, shownRole, stand, type Told } from './session';
import { said } from './words';

const changed = (session: Session, seated: Seated, standing: DocumentAccess): void => {
  const { socket } = session;
  if (standing.state !== 'active') return;
  const role = standing.roleOf(principalOf(session));
  if (role === undefined) {
    socket.send(said({ type: 'permissionChanged', role: 'none' }));
    socket.end(ends.withdrawn);
    return;
  }
  const shown = shownRole(session, role);
  if (shown !== seated.role) socket.send(said({ type: 'permissionChanged', role: shown }));
  if (standing.title !== seated.title) socket.send(said({ type: 'document', title: standing.title }));
  Object.assign(seated, { role: shown, title: standing.title });
};

const endOf = (reason: EndReason): StreamEnd => {
  if (reason === 'trashed') return ends.trashed;
  return reason === 'faulted' ? ends.unavailable : ends.moved;
};

const ended = (session: Session, reason: EndReason): void => {
  const { socket } = session;
  stand(session);
  if (reason === 'trashed') refuse(session, { code: 'trashed', detail: 'The document was put into the trash.' });
  socket.end(endOf(reason));
};

interface Coming extends Admitted {
  /** That both speak. */
  readonly schema: number;
}

interface JoinedClient extends Joined {
  readonly connectionId: string;
}

const seatOf = (session: Session, room: Room, [message, joined]: readonly [Told<'join'>, JoinedClient]) => {
  const { socket, deps } = session;
  const leaving = new AbortController();
  const feed = openFeed(
    {
      ...{ socket, document: room.document, snapshotBytes: room.snapshotBytes, figures: deps.figures },
      ...{ everybody: room.members.everybody, left: leaving.signal },
      failed: (error) => {
        deps.log.error({ error }, 'defect in what a client is told of a document');
        socket.end(ends.unavailable);
      },
    },
    message.lastCommittedVersion,
  );
  const seat: Seat = {
    ...{ clientId: joined.clientId, connectionId: joined.connectionId, principalId: principalOf(session) },
    ...{ feed, readsMoves: readsMoves(message) },
    changed: (standing) => {
      if (session.seated?.seat === seat) changed(session, session.seated, standing);
    },
    ended: (reason) => ended(session, reason),
  };
  return { seat, leaving };
};

const sit = (session: Session, room: Room, [message, joined, admitted]: readonly [Told<'join'>, Joined, Coming]) => {
  const { socket, deps, rooms } = session;
  const { standing, schema } = admitted;
  const role = shownRole(session, admitted.role);
  // A tab is a member of its own, and the same one when it comes back.
  const connectionId = deps.clientIds.connectionOf(room.document, joined.clientId);
  socket.send(
    said({
      ...{ type: 'joined', documentId: room.document.documentId, ...joined, role, title: standing.title },
      ...{ connectionId, schemaVersion: schema, committedVersion: room.document.committedVersion() },
      expiresAt: session.token.expiresAt(),
    }),
  );
  const { seat, leaving } = seatOf(session, room, [message, { ...joined, connectionId }]);
  session.seated = { room, seat, schema, left: leaving, role, title: standing.title, underWay: 0 };
  rooms.sit(room, seat);
  leaving.signal.addEventListener('abort', deps.figures.joined(), { once: true });
};

const enter = (session: Session, document: OpenDocument, [message, coming]: readonly [Told<'join'>, Coming]) => {
  const { rooms } = session;
  if (document.ended.aborted) return session.socket.end(ends.moved);
  const { clientId, settledClientSeq = 0, lastCommittedVersion: knownVersion } = message;
  const principalId = principalOf(session);
  const hasRoom = rooms.hasRoom(document, principalId);
  if (isLeft(hasRoom)) return refuse(session, hasRoom.left);
  const joined = document.join({
    principalId,
    mayEdit: mayAs(shownRole(session, coming.role), 'editor'),
    settledClientSeq,
    knownVersion,
    ...(clientId === undefined ? {} : { clientId }),
  });
  if (isLeft(joined)) refuse(session, joined.left);
  else sit(session, rooms.of(document), [message, joined.right, coming]);
};

const elsewhere = {
  code: 'not-found',
  detail: 'Another copy of this service has the document; open a socket for it.',
} as const;

/** A document that is not open yet is opened only for a principal who may see it. */
const opened = async (session: Session, place: DocumentKey) => {
  const { access, documents } = session.deps;
  if (documents.held(place) !== undefined) return documents.open(place);
  const admitted = await admit(access, place, principalOf(session));
  return isLeft(admitted) ? admitted : documents.open(place);
};

export const join = async (session: Session, message: Told<'join'>): Promise<void> => {
  const { deps, socket, tenant } = session;
  session.joins += 1;
  const { joins } = session;
  stand(session);
  const isOver = (): boolean => socket.closed.aborted || session.joins !== joins;
  const schema = commonSchema(message.capabilities);
  if (isLeft(schema)) return refuse(session, schema.left);
  const place = { tenant, documentId: message.documentId };
  const found = await opened(session, place);
  if (isOver()) return;
  if (!isLeft(found))
    // Opening may take long: rights that were read before it do not count.
    return admitWatched(deps.access, { place, principalId: principalOf(session) }, (admitted) => {
      if (isOver()) return;
      if (isLeft(admitted)) refuse(session, admitted.left);
      else enter(session, found.right, [message, { ...admitted.right, schema: schema.right }]);
    });
  if (found.left.kind !== 'elsewhere') return refuse(session, found.left);
  if (message.documentId === session.documentId) socket.end(ends.moved);
  else refuse(session, elsewhere);
};
