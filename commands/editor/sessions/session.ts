/** One socket of somebody who edits: whose it is, and where they sit. */
import type { TypeOf } from 'io-ts';
import type { DocumentId } from '../../../domain/editor/ids';
import type { fromClient } from '../../../domain/editor/messages/from-client';
import type { SocketRefusal } from '../../../domain/editor/messages/from-server';
import { mayAs, type Role } from '../../../domain/editor/roles';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Session as TokenSession } from '../../../infra/http/stream-session';
import type { Socket } from '../../../infra/ws/socket';
import type { SessionDeps } from './deps';
import type { Room, Rooms, Seat } from './rooms';
import { refusal } from './words';

export type Told<Type extends keyof typeof fromClient> = TypeOf<(typeof fromClient)[Type]>;

export interface Seated {
  readonly room: Room;
  readonly seat: Seat;
  readonly schema: number;
  /** Ends what is told. */
  readonly left: AbortController;
  /** As the client was told. */
  role: Role;
  title: string;
  /** Batches that are not answered yet. */
  underWay: number;
}

export interface Session {
  readonly deps: SessionDeps;
  readonly rooms: Rooms;
  readonly socket: Socket;
  readonly token: TokenSession;
  readonly tenant: TenantId;
  /** That the socket was opened for: it was led here. */
  readonly documentId: DocumentId;
  readonly requestId: string;
  seated: Seated | undefined;
  /** How often the client has joined: what is found out for an earlier time is not wanted any more. */
  joins: number;
}

export const principalOf = ({ token }: Session): string => token.identity().principalId;

export const maySend = ({ token }: Session): boolean => token.identity().scopes.includes('documents:write');

/** What the role is worth with this token. */
export const shownRole = (session: Session, role: Role): Role =>
  mayAs(role, 'editor') && !maySend(session) ? 'viewer' : role;

export interface About {
  readonly clientSeq?: number;
  readonly expectedClientSeq?: number;
  readonly pointer?: string;
}

export const refuse = (
  { socket, deps }: Session,
  { code, detail }: { readonly code: SocketRefusal; readonly detail: string },
  about: About = {},
): void => {
  deps.figures.refused(code);
  socket.send(refusal(code, detail, about));
};

export const stand = (session: Session): void => {
  const { seated, rooms } = session;
  if (seated === undefined) return;
  session.seated = undefined;
  seated.left.abort();
  rooms.leave(seated.room, seated.seat);
};
