/** One socket of somebody who edits: whose it is, and where they sit. */
import type { TypeOf } from 'io-ts';
import type { DocumentId } from '../../../domain/editor/ids';
import type { clientMessages } from '../../../domain/editor/protocol/client-messages';
import type { SocketErrorCode } from '../../../domain/editor/protocol/server-messages';
import { hasAtLeastRole, type Role } from '../../../domain/editor/roles';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Session as TokenSession } from '../../../infra/http/stream-session';
import type { Socket } from '../../../infra/ws/socket';
import type { SessionDeps } from './dependencies';
import { encodeError } from './message-encoding';
import type { Room, RoomSession, Rooms } from './rooms';

export type MessageOf<Type extends keyof typeof clientMessages> = TypeOf<(typeof clientMessages)[Type]>;

export interface JoinedState {
  readonly room: Room;
  readonly roomSession: RoomSession;
  readonly schema: number;
  /** Ends what is told. */
  readonly leaving: AbortController;
  /** As the client was told. */
  role: Role;
  title: string;
  /** Batches that are not answered yet. */
  unacknowledged: number;
}

export interface ClientSession {
  readonly deps: SessionDeps;
  readonly rooms: Rooms;
  readonly socket: Socket;
  readonly token: TokenSession;
  readonly tenant: TenantId;
  /** That the socket was opened for: it was led here. */
  readonly documentId: DocumentId;
  readonly requestId: string;
  joined: JoinedState | undefined;
  /** How often the client has joined: what is found out for an earlier time is not wanted any more. */
  joins: number;
}

export const principalOf = ({ token }: ClientSession): string => token.identity().principalId;

export const hasWriteScope = ({ token }: ClientSession): boolean => token.identity().scopes.includes('documents:write');

/** What the role is worth with this token. */
export const effectiveRole = (session: ClientSession, role: Role): Role =>
  hasAtLeastRole(role, 'editor') && !hasWriteScope(session) ? 'viewer' : role;

export interface ErrorDetails {
  readonly clientSeq?: number;
  readonly expectedClientSeq?: number;
  readonly pointer?: string;
}

export const sendError = (
  { socket, deps }: ClientSession,
  { code, detail }: { readonly code: SocketErrorCode; readonly detail: string },
  details: ErrorDetails = {},
): void => {
  deps.metrics.refused(code);
  socket.send(encodeError(code, detail, details));
};

export const leaveRoom = (session: ClientSession): void => {
  const { joined, rooms } = session;
  if (joined === undefined) return;
  session.joined = undefined;
  joined.leaving.abort();
  rooms.leave(joined.room, joined.roomSession);
};
