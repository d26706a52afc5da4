/** State of one socket: its token, its document, and the room it joined. */
import type { TypeOf } from 'io-ts';
import type { DocumentId } from '../../../domain/editor/ids';
import type { clientMessages } from '../../../domain/editor/protocol/client-messages';
import type { SocketErrorCode } from '../../../domain/editor/protocol/server-messages';
import { hasAtLeastRole, type Role } from '../../../domain/editor/roles';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Session as TokenSession } from '../../../infra/server/http/streaming/stream-session';
import type { Socket } from '../../../infra/server/ws/socket';
import type { SessionDeps } from './dependencies';
import { encodeError } from './outbound/message-encoding';
import type { Room, RoomSession, Rooms } from './rooms';

export type MessageOf<Type extends keyof typeof clientMessages> = TypeOf<(typeof clientMessages)[Type]>;

export interface JoinedState {
  readonly room: Room;
  readonly roomSession: RoomSession;
  readonly schema: number;
  /** Aborted when the session leaves the room. */
  readonly leaving: AbortController;
  /** As last sent to the client. */
  role: Role;
  title: string;
  /** Batches without an acknowledgement. */
  unacknowledged: number;
}

export interface ClientSession {
  readonly deps: SessionDeps;
  readonly rooms: Rooms;
  readonly socket: Socket;
  readonly token: TokenSession;
  readonly tenant: TenantId;
  /** The document in the socket's URL, by which it was routed here. */
  readonly documentId: DocumentId;
  readonly requestId: string;
  joined: JoinedState | undefined;
  /** Counts joins, so that results of an earlier join are ignored. */
  joins: number;
}

export const principalOf = ({ token }: ClientSession): string => token.identity().principalId;

export const hasWriteScope = ({ token }: ClientSession): boolean => token.identity().scopes.includes('documents:write');

/** The role, limited by the token's scopes. */
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
